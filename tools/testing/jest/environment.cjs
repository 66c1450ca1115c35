// Where tests run: in the worker's own world, as Node loads their files (runner.cjs).
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** The globals that jest replaces for the time of a file. */
const REPLACED = [
  [globalThis, 'console'],
  [process, 'exit'],
];

module.exports = class Environment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #before = REPLACED.map(([object, name]) => [object, name, Object.getOwnPropertyDescriptor(object, name)]);
  #builtins = process.getBuiltinModule;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    // Node's ten lines are too few to see where in a test something went wrong.
    Error.stackTraceLimit = 100;
  }

  async setup() {
    // jest has redirected it to its own loader, which cannot serve it here.
    process.getBuiltinModule = this.#builtins;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const [object, name, descriptor] of this.#before) Object.defineProperty(object, name, descriptor);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};
