// In which order files of tests are begun. jest remembers how long each took; where it has nothing to remember, as in a
// fresh clone, it begins with the largest files, and those that take longest are small. A run ends as late as the last of them.
const Sequencer = require('@jest/test-sequencer').default;

/** Those that take a minute or more, the longest first. */
const LONGEST = [
  'tests/browser/models/others',
  'tests/browser/models/dcim',
  'tests/web/models.system',
  'tests/operation/moving.system',
  'tests/operation/moving-recorded.system',
  'tests/contract/crud.system',
  'tests/consistency/read-after-write',
  'tests/objects/nested-order',
  'tests/deletions/deletions-told',
  'tests/web/import-every-column.system',
  'tests/web/exports.system',
  'tests/accounts-by-hand',
  'tests/operation/demo.system',
  'tests/deletions/deletion-faults.system',
  'packages/rest/src/replication/fill/forEachConcurrently',
];

/** The place of a file among the longest; behind them for all others. */
const placeOf = ({ path, duration }) => {
  const place = duration === undefined ? LONGEST.findIndex((one) => path.includes(`/${one}.`)) : -1;
  return place < 0 ? LONGEST.length : place;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
};
