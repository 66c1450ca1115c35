// In which order files run: the longest first, so that no worker is left with a long one when the others are done. jest
// knows how long each took the last time; on a fresh clone it goes by their size, and those that start a system of their
// own take minutes however small they are.
const { readFileSync } = require('node:fs');
const Sequencer = require('@jest/test-sequencer').default;

const startsItsOwn = ({ path }) => /\bstartSystem\(/.test(readFileSync(path, 'utf8'));

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const unknown = sorted.filter(({ duration }) => duration === undefined);
    const first = new Set(unknown.filter(startsItsOwn));
    return [...first, ...sorted.filter((test) => !first.has(test))];
  }
};
