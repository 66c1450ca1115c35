import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyLimits, type JsonLimits } from '../limits.ts';
import { built } from './build.ts';
import { jsonOf, jsonReading, readJson } from './read.ts';
import { JsonScan } from './scan.ts';

const limits = bodyLimits.json;
const value = (text: string | Buffer, more: Partial<JsonLimits> = {}) =>
  jsonOf(Buffer.from(text as string), { ...limits, ...more }).value;
const refusal = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    const { status, body } = error as { status: number; body: { detail: string } };
    return [status, body.detail];
  }
};
const refused = async (reading: Promise<unknown>) => {
  try {
    return await reading;
  } catch (error) {
    const { status, body } = error as { status: number; body: { detail: string } };
    return [status, body.detail];
  }
};

/** Scans a text in slices of one size and builds its value from pieces of another, as for a large text. */
async function inPieces(text: string, slice: number, large: number) {
  const bytes = Buffer.from(text);
  const scan = new JsonScan(limits, { large });
  for (let end = 0; end < bytes.length; ) scan.advance(bytes, (end = Math.min(end + slice, bytes.length)));
  scan.finish(bytes, bytes.length);
  return built({ bytes, large: scan.large, pace: () => undefined, piece: large }, 0, bytes.length);
}

test('reads what JSON.parse reads, in one go and in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json({ maxDepth: 6 }),
      fc.constantFrom(0, 1, 4),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 60 }),
      async (text, indent, slice, large) => {
        const given = JSON.parse(text);
        const spaced = JSON.stringify(given, null, indent);
        expect(value(spaced)).toEqual(given);
        expect(await inPieces(spaced, slice, large)).toEqual(given);
      },
    ),
    { numRuns: 300 },
  );
});

test('keeps the order of members, and a member named __proto__, in pieces too', async () => {
  const text = '{"z":[1,2,{"__proto__":{"a":1}}],"__proto__":[1,2,3,4,5,6,7,8],"a":"\\u00e9\\"}","b":{}}';
  for (const large of [1, 5, 20]) {
    const read = await inPieces(text, 3, large);
    expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.hasOwn(read as object, '__proto__')).toBe(true);
  }
});

test('refuses in pieces what JSON.parse refuses', async () => {
  const broken = [
    '[1,]',
    '[,1]',
    '[1,,2]',
    '{"a":1,}',
    '{,}',
    '[1}',
    '{"a":1]',
    '[1] 2',
    '[1',
    '"a',
    '{"a" 1}',
    '[[1],[2] 3]',
    ']',
    '[1,2,3,4,5,6,7]x',
    '{"a":[1,2,3,4],}',
    '[[1,2,3,4,5],]',
  ];
  for (const text of broken)
    for (const large of [0, 1, 4, 100])
      expect([text, large, await refused(inPieces(text, 2, large))]).toEqual([
        text,
        large,
        [400, expect.stringContaining('JSON parse error')],
      ]);
});

test.each<[string, string, Partial<JsonLimits>, number, string]>([
  ['depth', '[[[[]]]]', { depth: 3 }, 400, 'nested deeper than 3 levels'],
  ['values of the whole text', '[1,[2,3],{"a":4}]', { values: 6 }, 413, 'more than 6 values'],
  ['items of a list', '[[1,2,3,4]]', { items: 3 }, 413, 'more than 3 items in one list'],
  ['members of an object', '{"a":1,"b":2,"c":3}', { members: 2 }, 413, 'more than 2 members'],
  ['a name', '{"abcdef":1}', { name: 5 }, 400, 'the name of a member is longer than 5 bytes'],
  ['a number', '[123456]', { number: 5 }, 400, 'a number is longer than 5 characters'],
  ['a number at the end', '123456', { number: 5 }, 400, 'a number is longer than 5 characters'],
  ['a text', '["abcdef"]', { text: 5 }, 400, 'a text is longer than 5 bytes'],
  ['an infinite number', '[1e999]', {}, 400, 'a number is too large'],
  ['a negative infinite number', '-1E400', {}, 400, 'a number is too large'],
  ['a name that is written in two ways', '{"ä":1,"\\u00e4":2}', {}, 400, 'the member "ä" is given twice'],
  ['a member that is given twice', '{"a":1,"\\u0061":2}', {}, 400, 'is given twice'],
])('%s has a limit', async (_what, text, more, status, detail) => {
  expect(refusal(() => value(text, more))).toEqual([status, expect.stringContaining(detail)]);
  // A text exactly at the limit is read.
  const key = Object.keys(more)[0] as keyof JsonLimits | undefined;
  if (key) expect(value(text, { [key]: more[key]! + 1 })).toEqual(JSON.parse(text));
});

test('a list itself has a limit of its own, with words of its own', () => {
  const top = { items: 2, refusal: () => new Error('two at most') as never };
  const read = (text: string) => jsonOf(Buffer.from(text), limits, { top }).value;
  expect(read('[[1,2,3],2]')).toEqual([[1, 2, 3], 2]);
  expect(() => read('[1,2,3]')).toThrow('two at most');
});

test('a limit ends the reading where it is reached, before anything is built', async () => {
  const bytes = Buffer.from(`[${'{},'.repeat(400_000)}`);
  const scan = new JsonScan(limits, { top: { items: 10, refusal: () => new Error('enough') as never } });
  expect(() => scan.advance(bytes, bytes.length)).toThrow('enough');
  const reading = jsonReading(limits);
  // This is invalid JSON as well, but the limit is exceeded before that is noticed.
  expect(await refused(reading.look(Buffer.from('['.repeat(200)), 200))).toEqual([
    400,
    expect.stringContaining('deeper'),
  ]);
});

test('each byte is looked at once, however the pieces come: n, 2n, 4n', () => {
  const row = '{"name":"device \\"1\\"","n":-1.5e3,"tags":["a","b"],"text":"ä"},';
  const steps = (rows: number, slice: number) => {
    const bytes = Buffer.from(`[${row.repeat(rows)}0]`);
    const scan = new JsonScan(limits);
    for (let end = 0; end < bytes.length; ) scan.advance(bytes, (end = Math.min(end + slice, bytes.length)));
    return [scan.steps, bytes.length];
  };
  for (const slice of [7, 1_000, 1_000_000])
    for (const rows of [100, 200, 400]) {
      const [looked, length] = steps(rows, slice);
      expect(looked).toBeLessThanOrEqual(length! + 1);
    }
});

test('no UTF-8 is refused, and a mark of the encoding passed over', async () => {
  expect(refusal(() => value(Buffer.from([0x22, 0xff, 0x22])))).toEqual([400, expect.stringContaining('UTF-8')]);
  expect(value(Buffer.from([0xef, 0xbb, 0xbf, 0x31]))).toBe(1);
});

test('a large text is read with turns for others', async () => {
  const items = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `device ${id}`, tags: [{ slug: 'a' }] }));
  const bytes = Buffer.from(JSON.stringify({ items: items.slice(0, 1000), more: { all: items.slice(1000) } }));
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns++;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  const read = await readJson(bytes, limits);
  over = true;
  expect(JSON.stringify(read)).toBe(bytes.toString());
  expect(turns).toBeGreaterThan(2);
});
