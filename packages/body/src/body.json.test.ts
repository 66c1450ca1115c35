import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyOf } from './body.ts';
import { bodyLimits } from './limits.ts';
import { Refusal } from './refusal.ts';

const parse = (body: string | Buffer, type: string | undefined = 'application/json') =>
  bodyOf(Buffer.from(body as string), type === undefined ? {} : { 'content-type': type }).json();
const refusal = async (body: string | Buffer, type?: string): Promise<unknown> => {
  try {
    return await parse(body, type);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.status, (error.body as { detail: string }).detail];
  }
};
const MAX_DEPTH = bodyLimits.json.depth;
const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test('nothing is nothing', async () => {
  expect(await parse('', 'text/plain')).toBeUndefined();
});

describe('media type', () => {
  test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', ' application/json ;x=y'])(
    '%s is JSON',
    async (type) => {
      expect(await parse('{"a":1}', type)).toEqual({ a: 1 });
    },
  );
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    '',
    'application/jsonx',
    'application/xml; q="application/json"',
  ])('%j is none', async (type) => {
    expect(await refusal('{}', type)).toEqual([415, `Unsupported media type "${type.split(';')[0]}" in request.`]);
  });
  test('may not be missing', async () => {
    await expect(bodyOf(Buffer.from('{}'), {}).json()).rejects.toThrow(Refusal);
  });
});

describe('bytes that are no JSON', () => {
  test.each<[string, Buffer]>([
    ['a lone byte', Buffer.from([0x22, 0xff, 0x22])],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a cut character', Buffer.from([0x22, 0xe2, 0x82])],
  ])('%s', async (_, body) => {
    expect(await refusal(body)).toEqual([400, 'JSON parse error - the body is not valid UTF-8.']);
  });
  test.each([
    '{',
    'x',
    '{"a":}',
    '[1,]',
    "{'a':1}",
    '{"a":1}{',
    '"',
    '"\\',
    '{"a',
    'NaN',
    '01',
    '\0',
    '"a\nb"',
    '}',
    ']',
    ':',
    '{"a":1]',
    ' ',
  ])('%j', async (body) => {
    expect(await refusal(body)).toMatchObject([400, expect.stringMatching(/^JSON parse error - /)]);
  });
});

describe('a member that is given twice', () => {
  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '[{"x":{"b":1,"c":{"d":1,"d":1}}}]',
    '{"a":{"a":1},"a":2}',
    '{"":1,"":2}',
    '{"\\"":1,"\\u0022":2}',
    '{"a\\\\":1,"a\\\\":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a" : 1 , "a" : 2}',
    '{"/":1,"\\/":2}',
  ])('%s', async (body) => {
    expect(await refusal(body)).toMatchObject([400, expect.stringMatching(/given twice/)]);
  });
  test.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a"}',
    '{"a":"\\"a\\":1,","b":2}',
    '{"a":["a","a",":"],"A":1}',
    '{"a\\\\":1,"a":2}',
  ])('is not meant by %s', async (body) => {
    expect(await parse(body)).toEqual(JSON.parse(body));
  });
  test('keeps what the client said out of a long message', async () => {
    const [, detail] = (await refusal(`{"${'x'.repeat(5000)}":1,"${'x'.repeat(5000)}":2}`)) as [number, string];
    expect(detail.length).toBeLessThan(76);
  });
});

test('nesting has an end', async () => {
  expect(await parse(lists(MAX_DEPTH))).toEqual(JSON.parse(lists(MAX_DEPTH)));
  expect(await refusal(lists(MAX_DEPTH + 1))).toEqual([
    400,
    `JSON parse error - nested deeper than ${MAX_DEPTH} levels.`,
  ]);
  expect(await refusal('{"a":'.repeat(MAX_DEPTH + 1))).toMatchObject([400, expect.stringContaining('nested deeper')]);
  expect(await refusal('['.repeat(5_000_000))).toMatchObject([400, expect.stringContaining('nested deeper')]);
});

test('a member called __proto__ is a member', async () => {
  expect(Object.keys((await parse('{"__proto__":{"x":1}}')) as object)).toEqual(['__proto__']);
});

test('every JSON value is read as JSON.parse reads it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (body) => {
      expect(await parse(body)).toEqual(JSON.parse(body));
    }),
  );
});

test('nothing but refusals is thrown, whatever comes', async () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '\\',
    '"a"',
    '1',
    'null',
    'true',
    '-',
    'e',
    ' ',
    '\\u00',
    '\0',
    '"a":1,',
  );
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.array(piece, { maxLength: 60 }).map((parts) => Buffer.from(parts.join(''))),
  );
  await fc.assert(
    fc.asyncProperty(
      bodies,
      fc.constantFrom('application/json', 'application/json;x', 'text/plain', undefined),
      async (body, type) => {
        try {
          await parse(body, type);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          expect([400, 415]).toContain((error as Refusal).status);
        }
      },
    ),
    { numRuns: 500 },
  );
});
