import { availableParallelism } from 'node:os';

// What is loaded by Node stays as it is for as long as a worker lives, and jest does not see what was covered.
const byJest = process.argv.some((word) => /^--(watch|coverage|collectCoverage)/.test(word));
const byNode = {
  testEnvironment: '<rootDir>/tools/testing/jest/environment.cjs',
  testRunner: '<rootDir>/tools/testing/jest/runner.cjs',
};

export default {
  ...(byJest ? { testEnvironment: 'node' } : byNode),
  // Tests wait more than they compute: for the system, the database, time to pass.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/tools/testing/jest/sequencer.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/tools/testing/jest/transform.cjs' },
  testMatch: ['<rootDir>/{packages,services,tools,tests,bench}/**/*.test.ts'],
  // They start systems of their own: jest.systems.config.js. They put load on the system that all tests of a run share:
  // jest.attacks.config.js. Or they take long, and only with a browser: jest.browser.config.js.
  testPathIgnorePatterns: [
    '/node_modules/',
    '\\.system\\.test\\.ts$',
    '<rootDir>/tests/attacks/load/',
    '<rootDir>/tests/browser/',
  ],
  globalSetup: '<rootDir>/tools/testing/global-setup.ts',
  globalTeardown: '<rootDir>/tools/testing/global-teardown.ts',
  coverageProvider: 'v8',
  // A test takes seconds at most; on a machine with much else to do it takes many times that.
  testTimeout: 240_000,
};
