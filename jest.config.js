export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/tools/jest/transform.cjs' },
  testMatch: ['<rootDir>/{packages,services,tools,tests,bench}/**/*.test.ts'],
  coverageProvider: 'v8',
  testTimeout: 30_000,
};
