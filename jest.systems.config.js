import everything from './jest.config.js';

/** Tests that start whole systems of their own, to set them up in their way, or to break them. */
export default {
  ...everything,
  testMatch: ['<rootDir>/{services,tools,tests}/**/*.system.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
