// How a file of tests is run. jest finds, collects, runs and reports tests as always, but Node itself loads the files:
// what is tested, and packages, once in each worker. jest's own loader would make all of that anew for each file, which
// took more processor time than the tests.
const { enableCompileCache, flushCompileCache, registerHooks } = require('node:module');
const { join, relative, resolve, sep } = require('node:path');
const { pathToFileURL } = require('node:url');
const circus = require('jest-circus/runner').default;

const root = resolve(__dirname, '../../..');
const globalsUrl = pathToFileURL(join(__dirname, 'globals.js')).href;
/** The key under which jest keeps the state of a file's tests. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');
/**
 * What only tests use is made anew for each file: it may say at once what is to be done before and after the tests, and
 * keep what they made.
 */
const OF_TESTS = /\.test\.ts$|\/(testing|contract)\/[^?]*\.ts$|\/testing\.ts$/;
const OUR_TESTS = pathToFileURL(join(root, 'tests') + sep).href;

/** How many files this worker has run, with the one that runs. */
let file = 0;

const isOfTests = (url) =>
  url.startsWith('file:') && !url.includes('/node_modules/') && (url.startsWith(OUR_TESTS) || OF_TESTS.test(url));

enableCompileCache(join(root, 'node_modules', '.cache', 'cadastre', 'tests'));
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: globalsUrl, format: 'module', shortCircuit: true };
    const found = next(specifier, context);
    return isOfTests(found.url) ? { ...found, url: `${found.url}?file=${file}` } : found;
  },
});

/** A fresh copy of a jest module: it keeps the tests of one file. */
function anew(path) {
  delete globalThis[HANDLERS];
  delete require.cache[path];
  return require(path);
}

/** A text about a failure with the paths of our files as jest writes them, relative to the project. */
const shortened = (text) =>
  text?.replaceAll(/(file:\/+([^\s()?]+))(?:\?file=\d+)?/g, (_, address, path) => {
    const ours = relative(root, `/${path}`);
    return ours.startsWith('..') ? address : ours;
  });

function withShortPaths(result) {
  result.failureMessage = shortened(result.failureMessage);
  for (const test of result.testResults) test.failureMessages = test.failureMessages.map(shortened);
  return result;
}

module.exports = async function run(globalConfig, config, environment, runtime, testPath, send) {
  const { use } = await import(globalsUrl);
  file += 1;
  runtime.requireInternalModule = anew;
  runtime.unstable_importModule = (path) => {
    use(runtime.requireModuleOrMock(path, '@jest/globals'));
    return import(pathToFileURL(path).href);
  };
  try {
    return withShortPaths(await circus(globalConfig, config, environment, runtime, testPath, send));
  } finally {
    // How long the file took is read from the clock next.
    environment.fakeTimersModern.useRealTimers();
    // A worker may be ended before it could do that by itself.
    flushCompileCache();
  }
};
