// In which order files of tests are begun. jest remembers how long each took; where it has nothing to remember, as in a
// fresh clone, it begins with the largest files, and those that take longest are small. A run ends as late as the last of them.
const Sequencer = require('@jest/test-sequencer').default;

/** In the order of what they took, from a minute on where all others take less. */
const LONGEST = [
  'tests/browser/accessible-models',
  'tests/web/models.system',
  'tests/moving.system',
  'tests/read-after-write',
  'tests/demo.system',
  'tests/deletion-faults.system',
  'packages/rest/src/replicas/abreast',
];

/** The place of a file among the longest; behind them for all others. */
const placeOf = ({ path, context, duration }) => {
  const place =
    duration === undefined
      ? LONGEST.findIndex((one) => path.includes(`/${one}.`) && path.startsWith(context.config.rootDir))
      : -1;
  return place < 0 ? LONGEST.length : place;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
};
