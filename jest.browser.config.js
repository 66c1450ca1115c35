import everything from './jest.config.js';

/** Whole stories in a browser, and the pages of every model in it: they take as long as all the others together. */
export default {
  ...everything,
  testMatch: ['<rootDir>/tests/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
