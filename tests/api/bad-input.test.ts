import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import pg from 'pg';
import type { Json } from '@cadastre/model';
import { type Answer, type AskOptions, Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { processesOf, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { text, json, site, contentType } from '../support/arbitraries.ts';

// Whatever a client sends, it gets an answer of the usual form: nothing fails, no process dies, nothing is
// half-written.

const used = useSystem();
const sites = '/api/dcim/sites/';

const refusedIds: string[] = [];
const writtenIds: number[] = [];

let before: Record<string, number>;
let target: number;

beforeAll(async () => {
  before = processesOf(used.system);
  const name = unique('target');
  target = (await used.admin.make(sites, { name, slug: name })).id;
});

const hasMessages = (body: Json): boolean =>
  Array.isArray(body) ? body.length > 0 : typeof body === 'object' && body !== null && Object.keys(body).length > 0;

/** Sends arbitrary input, and checks that the answer is one that a client can use. */
async function provoke(method: string, path: string, options: AskOptions): Promise<Answer> {
  const answer = await used.admin.ask(method, path, options);
  const shown = `${method} ${path.slice(0, 300)} ${String(options.raw ?? JSON.stringify(options.body)).slice(0, 500)}: ${answer.status} ${answer.text.slice(0, 500)}`;
  if (![200, 201, 204, 400, 413, 415].includes(answer.status)) throw new Error(shown);
  if (answer.status >= 400 && !hasMessages(answer.body)) throw new Error(`no messages: ${shown}`);
  expect(answer.headers.get('api-version')).toBe('4.6');
  if (answer.status >= 400) refusedIds.push(answer.headers.get('x-request-id')!);
  if (answer.status === 201) writtenIds.push(...[answer.body].flat().map((one: { id: number }) => one.id));
  return answer;
}

afterAll(async () => {
  if (writtenIds.length)
    await used.admin.delete(
      sites,
      writtenIds.map((id) => ({ id })),
    );
});

const write = fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE');
const runs = (numRuns: number) => ({ numRuns, interruptAfterTimeLimit: 12_000 });

describe('properties', () => {
  test('bytes of any kind and media type', async () => {
    await fc.assert(
      fc.asyncProperty(
        write,
        fc.boolean(),
        contentType,
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        async (method, isList, type, bytes) => {
          await provoke(
            method === 'DELETE' ? 'PATCH' : method,
            isList || method === 'POST' ? sites : `${sites}${target}/`,
            { raw: bytes, headers: { 'Content-Type': type } },
          );
        },
      ),
      runs(150),
    );
  });

  test('JSON of any kind in place of a site, or of many', async () => {
    await fc.assert(
      fc.asyncProperty(write, json, async (method, body) => {
        await provoke(method, sites, { body });
      }),
      runs(150),
    );
  });

  test('a site with values of any kind in its fields', async () => {
    await fc.assert(
      fc.asyncProperty(site, async (body) => {
        await provoke('POST', sites, { body });
      }),
      runs(250),
    );
  });

  test('a change with values of any kind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('PUT', 'PATCH'), site, fc.boolean(), async (method, body, isBulk) => {
        await provoke(method, isBulk ? sites : `${sites}${target}/`, {
          body: isBulk ? [{ ...body, id: target }] : body,
        });
      }),
      runs(200),
    );
  });

  test('several sites, some of them wrong: all or none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(site, { minLength: 1, maxLength: 5 }), async (body) => {
        const { status, body: answer } = await provoke('POST', sites, { body });
        expect(status === 201 || !Array.isArray(answer) || answer.length === body.length).toBe(true);
      }),
      runs(100),
    );
  });

  test('any parameters of a list', async () => {
    const names = [
      'id',
      'name',
      'slug',
      'status',
      'region',
      'region_id',
      'tenant',
      'tenant_group',
      'tag',
      'tag_id',
      'latitude',
      'created',
      'last_updated',
      'q',
      'cf_x',
      'asn',
      'time_zone',
      'created_by_request',
      'limit',
      'offset',
      'start',
      'ordering',
      'fields',
      'omit',
      'brief',
      'exclude',
      'contact',
      'owner',
    ];
    const name = fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .tuple(
            fc.constantFrom(...names),
            fc.constantFrom('', '', '__n', '__ic', '__gt', '__lte', '__empty', '__regex', '__iregex', '__any', '__zz'),
          )
          .map((parts) => parts.join('')),
      },
      { weight: 1, arbitrary: text },
    );
    const short = text.map((t) => t.slice(0, 500).toWellFormed());
    const parameters = fc.array(
      fc.tuple(
        name.map((t) => t.slice(0, 200).toWellFormed()),
        short,
      ),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(parameters, async (given) => {
        await provoke('GET', `${sites}?${new URLSearchParams(given)}`, {});
      }),
      runs(250),
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        await provoke(
          'GET',
          `${sites}?${[...bytes].map((b) => `%${b.toString(16).padStart(2, '0')}`).join('')}=${[...bytes].map((b) => (b % 3 ? `%${b.toString(16)}` : '%')).join('')}`,
          {},
        );
      }),
      runs(50),
    );
  });
});

describe('by name', () => {
  const cases: [what: string, status: number, () => AskOptions][] = [
    ['a body of 10 MB that is one text', 400, () => ({ body: { name: 'x'.repeat(10_000_000), slug: 'x' } })],
    ['a body that is larger than the limit', 413, () => ({ body: { name: 'x'.repeat(10 * 1024 * 1024), slug: 'x' } })],
    [
      'a small body that unpacks to a large one',
      413,
      () => ({ raw: gzipSync(`{"name":"${'x'.repeat(50_000_000)}"}`), headers: { 'Content-Encoding': 'gzip' } }),
    ],
    ['a body that is not packed as it says', 400, () => ({ raw: '{}', headers: { 'Content-Encoding': 'gzip' } })],
    ['an unknown encoding', 415, () => ({ raw: '{}', headers: { 'Content-Encoding': 'rot13' } })],
    ['10,000 wrong items', 400, () => ({ body: Array.from({ length: 10_000 }, (_, i) => i) })],
    [
      '10,000 sites of one name',
      400,
      () => ({ body: Array.from({ length: 10_000 }, () => ({ name: 'same', slug: 'same' })) }),
    ],
    [
      '10,000 references to nothing, elsewhere',
      400,
      () => ({ body: Array.from({ length: 10_000 }, (_, i) => ({ name: `${i}`, slug: `${i}`, tenant: i + 1e9 })) }),
    ],
    ['10,001 items', 413, () => ({ body: Array.from({ length: 10_001 }, () => ({})) })],
    [
      '100,000 tags on one site',
      400,
      () => ({ body: { name: 'tagged', slug: 'tagged', tags: Array.from({ length: 100_000 }, (_, i) => i + 1e9) } }),
    ],
    [
      '100,000 custom fields',
      400,
      () => ({
        body: {
          name: 'wide',
          slug: 'wide',
          custom_fields: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`f${i}`, i])),
        },
      }),
    ],
    ['lists in lists without end', 400, () => ({ raw: '['.repeat(500_000) })],
    ['objects in objects', 400, () => ({ raw: `${'{"region":'.repeat(50_000)}1${'}'.repeat(50_000)}` })],
    ['a name twice', 400, () => ({ raw: '{"name": "a", "slug": "a", "na\\u006de": "b"}' })],
    ['a number beyond all bounds', 400, () => ({ raw: '{"name": 1e999, "slug": "a"}' })],
    [
      'no UTF-8',
      400,
      () => ({ raw: Uint8Array.from([...'{"name":"'].map((c) => c.charCodeAt(0)).concat(0xff, 0xfe, 0x22, 0x7d)) }),
    ],
    ['a lone surrogate', 400, () => ({ raw: '{"name": "\\ud800", "slug": "a"}' })],
    ['a NUL in a key of a reference', 400, () => ({ body: { name: 'n', slug: 'n', region: { 'a\0b': 1 } } })],
    [
      'a secret asked for letter by letter',
      400,
      () => ({ body: { name: 'n', slug: 'n', owner: { users__password__startswith: '$argon' } } }),
    ],
    [
      'a reference by a pattern that is none',
      400,
      () => ({ body: { name: 'n', slug: 'n', region: { name__regex: '((' } } }),
    ],
    [
      'a reference elsewhere by a pattern that is none',
      400,
      () => ({ body: { name: 'n', slug: 'n', tenant: { name__regex: '((' } } }),
    ],
    ['a form', 415, () => ({ raw: 'name=a&slug=a', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })],
  ];
  test.each(cases)('%s: %i', async (_, status, options) => {
    expect((await provoke('POST', sites, options())).status).toBe(status);
  });

  test('SQL in a name is a name', async () => {
    const name = `${unique()}'; drop table dcim_site; --`;
    expect((await provoke('POST', sites, { body: { name, slug: unique() } })).body.name).toBe(name);
    expect((await provoke('GET', `${sites}?name=${encodeURIComponent(name)}`, {})).body.count).toBe(1);
    expect(
      (
        await provoke(
          'GET',
          `${sites}?name__ic=${encodeURIComponent("'; drop table")}&q=${encodeURIComponent("' or 1=1")}`,
          {},
        )
      ).body.count,
    ).toBe(0);
  });

  test('what is no HTTP', async () => {
    // Refused by the HTTP server, before the API sees it.
    const long = await new Client(used.system.base).get(`${sites}?name=${'x'.repeat(100_000)}`);
    expect([long.status, long.headers.get('api-version'), long.body]).toEqual([
      431,
      '4.6',
      { detail: expect.any(String) },
    ]);
  });

  test('regular expressions that explode, in filters, references and custom fields', async () => {
    const name = unique('boom');
    const field = name.replaceAll('-', '_');
    const hostile = `${'a'.repeat(90)}b`;
    await used.admin.make(sites, { name, slug: name, description: hostile, comments: hostile });
    for (const [i, regex] of ['(a+)+$', String.raw`(a+)+\1\1$`, '(?=(a+)+$)x', 'a*a*a*a*a*a*a*c'].entries()) {
      const [answer] = await Promise.all([
        provoke('GET', `${sites}?description__regex=${encodeURIComponent(regex)}`, {}),
        provoke('POST', sites, { body: { name: 'x', slug: 'x', tenant: { name__regex: regex } } }),
      ]);
      expect([200, 400]).toContain(answer.status);
      const schema = { type: 'string', pattern: regex };
      for (const [kind, rest] of [
        ['text', { type: 'text', validation_regex: regex }],
        ['json', { type: 'json', validation_schema: schema }],
      ] as const) {
        const one = `${field}_${kind}_${i}`;
        const { id } = await used.admin.make('/api/extras/custom-fields/', {
          name: one,
          object_types: ['dcim.site'],
          ...rest,
        });
        const refused = await eventually(async () => {
          const given = await provoke('PATCH', `${sites}${target}/`, { body: { custom_fields: { [one]: hostile } } });
          expect(JSON.stringify(given.body)).toMatch(/match|compared/);
          return given;
        });
        // A regular expression with catastrophic backtracking would not be answered in anybody's lifetime.
        expect(refused.status).toBe(400);
        await used.admin.delete(`/api/extras/custom-fields/${id}/`);
      }
    }
    expect(
      (
        await used.admin.post('/api/extras/custom-fields/', {
          name: `${field}_self`,
          object_types: ['dcim.site'],
          type: 'json',
          validation_schema: { $ref: 'http://127.0.0.1:1/schema' },
        })
      ).status,
    ).toBe(400);
  });
});

test('afterwards every process is the same, and no refused request has left anything', async () => {
  expect(processesOf(used.system)).toEqual(before);
  expect((await used.admin.read(`${sites}${target}/`)).id).toBe(target);
  expect(refusedIds.length).toBeGreaterThan(200);
  const client = new pg.Client({ connectionString: new URL('/cadastre_dcim', used.system.postgres).toString() });
  await client.connect();
  try {
    expect(
      (await client.query('select * from request_change where request_id = any($1::uuid[])', [refusedIds])).rows,
    ).toEqual([]);
    expect(
      (
        await client.query(`select * from "change" where body::jsonb #>> '{request,id}' = any($1::text[])`, [
          refusedIds,
        ])
      ).rows,
    ).toEqual([]);
    expect((await client.query('select * from deletion_mark')).rows).toEqual([]);
  } finally {
    await client.end();
  }
});
