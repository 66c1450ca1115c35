import everything from './jest.config.js';

// What a flood of logins does depends on what each costs.
process.env['TEST_PASSWORD_COST'] = 'usual';

/** The attacks that put load on the system: one after the other, and with nothing else beside them. */
export default {
  ...everything,
  testMatch: ['<rootDir>/tests/attacks/load/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
