import everything from './jest.config.js';

/** The attacks that put load on the system: one after the other, and with nothing else beside them. */
export default {
  ...everything,
  testMatch: ['<rootDir>/tests/attacks/load/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
