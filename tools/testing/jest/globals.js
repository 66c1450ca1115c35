// What files import as `@jest/globals`. It is loaded once in each worker, and always has what belongs to the file whose
// tests are running: an import sees what its module assigns.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

/** @param globals of the test file that runs next */
export function use(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
