// In which order files run: the longest first, so that no worker is left with a long one when the others are done. jest
// knows how long each took the last time; on a fresh clone it goes by their size. Those that start a system of their own
// take minutes however small they are, so they are early, too, but not side by side: starting takes all of a machine.
const { readFileSync } = require('node:fs');
const Sequencer = require('@jest/test-sequencer').default;

/** So many others come between two that start systems of their own. */
const BETWEEN = 6;

const startsItsOwn = ({ path }) => /\b(startSystem|startWith\w+|useSso)\(/.test(readFileSync(path, 'utf8'));

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const own = sorted.filter((test) => test.duration === undefined && startsItsOwn(test));
    const others = sorted.filter((test) => !own.includes(test));
    return [
      ...own.flatMap((test, i) => [test, ...others.slice(i * BETWEEN, (i + 1) * BETWEEN)]),
      ...others.slice(own.length * BETWEEN),
    ];
  }
};
