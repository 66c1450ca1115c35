import { deflateRawSync } from 'node:zlib';

/**
 * Harmful input for import pages: more than is allowed, in every format, and input that expands to more than its size.
 */
const many = (count: number, one: string | ((i: number) => string)): string =>
  Array.from({ length: count }, (_, i) => (typeof one === 'string' ? one : one(i))).join('');

const MB = 1_000_000;

/** Texts by what is wrong with them; none of them can be imported. */
export const hostileTexts: Readonly<Record<string, () => string>> = {
  'JSON of nine megabytes': () => `[${'{"a":1},'.repeat(MB)}{}]`,
  'JSON of one megabyte': () => `[${many(9_000, (i) => `{"no":"${i}","such":"${'x'.repeat(90)}"},`)}{}]`,
  'lists in each other, a million of them': () => '['.repeat(MB),
  'an object with a million members': () => `{${many(600_000, (i) => `"k${i}":1,`)}"z":1}`,
  'a number of nine megabytes': () => `{"a":${'9'.repeat(9 * MB)}}`,
  'a name of nine megabytes': () => `{"${'n'.repeat(9 * MB)}":1}`,
  'blanks of nine megabytes before JSON': () => `${' '.repeat(9 * MB)}{"a":1,}`,
  'aliases of aliases': () =>
    `a: &a [x,x,x,x,x,x,x,x,x]\n${many(9, (i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${many(9, `*${'abcdefghi'[i]},`)}]\n`)}`,
  'a long text, repeated by aliases': () => `- &a ${'x'.repeat(900_000)}\n${many(5_000, '- {name: *a}\n')}`,
  'aliases of what they stand in': () => 'a: &a [*a, *a, *a]\n',
  'merge keys of merge keys': () => `a: &a {x: 1}\n${many(2_000, (i) => `k${i}: {<<: *a}\n`)}`,
  'documents of YAML, a hundred thousand': () => '---\na: 1\n'.repeat(100_000),
  'dashes in each other': () => '- '.repeat(MB),
  'flow maps in each other': () => `a: ${'{a: '.repeat(500_000)}`,
  'a scalar of nine megabytes over many lines': () => `a: >\n${'  words and words and words\n'.repeat(320_000)}`,
  'comments of nine megabytes': () => `a: 1\n${'# nothing at all, and more of it\n'.repeat(270_000)}`,
  'anchors, a hundred thousand': () => many(100_000, (i) => `- &a${i} x\n`),
  'CSV with a million columns': () => `${'a,'.repeat(MB)}b\n1`,
  'CSV with one cell of nine megabytes': () => `name,slug\n"${'x'.repeat(9 * MB)}"`,
  'CSV with four million rows': () => `name\n${'1\n'.repeat(4 * MB)}`,
  'CSV with quotes in quotes': () => `name\n"${'""'.repeat(4 * MB)}"\n`,
  'CSV with four million empty lines': () => `name,slug${'\r\n'.repeat(4 * MB)}`,
  'a table of four million cells': () => `${many(400, (i) => `c${i},`)}z\n${`${'1,'.repeat(400)}1\n`.repeat(9_999)}`,
  'bytes that are no text': () => Buffer.alloc(MB, 0xff).toString('latin1'),
};

const progress = (more: object = {}): string =>
  JSON.stringify({
    ...{ stage: 'write', dry: false, at: 0, done: 0, total: 1, texts: false, fresh: true, checked: true },
    ...{ message: '', problems: [], wrong: 0, more: 0, ...more },
  });
const packed = (json: string): string => deflateRawSync(json).toString('base64url');

/** A forged version of what the page of a running import sends back. */
export const hostileProgress: Readonly<Record<string, () => [progress: string, portion: string]>> = {
  'five megabytes': () => [`{"done":0,"total":1,"rest":[${'{"line":1,"body":{}},'.repeat(240_000)}{}]}`, ''],
  'lists in each other': () => ['['.repeat(100_000), ''],
  'a portion that grows a thousandfold': () => [progress(), packed(`{"rows":[${'[1,{}],'.repeat(4 * MB)}[1,{}]]}`)],
  'a portion with lists in each other': () => [progress(), packed(`{"rows":[[1,{"name":${'['.repeat(100_000)}`)],
  'a portion that is none': () => [progress(), packed('{"rows":[[1,null]]}')],
  'a portion far away': () => [progress({ at: 1e15 }), packed('{"rows":[]}')],
  'numbers that are none': () => [progress({ done: -1, total: 'x' }), packed('{"rows":[]}')],
  'members of every object': () => [progress(), packed('{"rows":[[1,{"__proto__":{"a":1},"constructor":1}]]}')],
};
