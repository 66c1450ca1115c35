// A whole move from a recording of a real NetBox: from its database, with its users and their tokens, and the
// comparison with what its API showed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Catalogue, loadCatalogue } from '@cadastre/model';
import { eachRecording } from '../../tools/moving/import/sources/database/testing/eachRecording.ts';
import { PEPPER } from '../../tools/moving/import/sources/database/testing/recordings.ts';
import { restore } from '../../tools/moving/import/sources/database/testing/restore.ts';
import { type Installation, installation, type Lists } from '../../tools/moving/testing/installation.ts';
import { startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { createTestDatabase, type TestDatabase } from '../../tools/testing/servers/postgres.ts';
import { type Body, Client } from '../support/client.ts';
import { type Ended, runTool } from '../support/process/tools.ts';

const MINUTES = 60_000;
const THEIRS = 't'.repeat(40);

/** The differences that are intended; see docs/moving.md. */
const LISTS = [
  '/api/core/object-types/',
  '/api/core/object-changes/',
  // The target has an object of its own at the first id.
  '/api/users/tokens/',
];
const FIELDS = [
  // Counts inside other objects, and depths of prefixes.
  /_count$/,
  /^(children|_depth)$/,
  // Sets.
  /(^|\.)(object_types|permissions)$/,
  // Masked values, and values that a login changes.
  /^(secret|allowed_ips|last_used|last_login)$/,
];

eachRecording('$name', (recording) => {
  const folder = mkdtempSync(join(tmpdir(), 'cadastre-moving-'));
  let catalogue: Catalogue;
  let database: TestDatabase;
  let api: Installation;
  const served = new Set<string>();
  let system: System;
  let here: Client;
  const bring = (): Promise<Ended> =>
    runTool('moving/import/main.ts', [
      ...['--from', database.url, '--to', system.base, '--to-token', system.token],
      ...['--state', join(folder, 'state'), '--report', join(folder, 'report.json')],
    ]);
  const types = (): Body[] => (JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Body).types;

  beforeAll(async () => {
    catalogue = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));
    [database, system] = await Promise.all([
      createTestDatabase(),
      startSystem({ IMPORT_API: 'true', API_TOKEN_PEPPERS: JSON.stringify({ 1: PEPPER }) }),
    ]);
    await restore(recording.dump, database.url);
    here = new Client(system.base, `Token ${system.token}`);
    const lists: Lists = {};
    for (const { app, path } of catalogue.models.values()) {
      const shown = recording.list(`${app}/${path}`);
      if (shown) lists[`/api/${app}/${path}/`] = shown as Lists[string];
      if (shown) served.add(`/api/${app}/${path}/`);
    }
    api = await installation({ lists, token: THEIRS });
  }, 6 * MINUTES);
  afterAll(async () => {
    await Promise.all([system?.stop(), api?.close()]);
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }, MINUTES);

  test(
    'comes with all that has a place here, and a second time nothing changes',
    async () => {
      const { code, out } = await bring();
      const absent = types().filter(({ told }) => told.missing.count > 0);
      expect(absent.filter(({ type }) => catalogue.has(type))).toEqual([]);
      expect(types().filter(({ told }) => told.refused.count + told.lost.count > 0)).toEqual([]);
      expect([code, out]).toEqual([absent.length ? 1 : 0, expect.stringMatching(/are new/)]);
      expect((await bring()).out).toContain('Nothing changed: everything was there already.');
    },
    10 * MINUTES,
  );

  test('people log in with the passwords that they had', async () => {
    const results: [unknown, number][] = [];
    const expected: [unknown, number][] = [];
    for (const { username, password, is_active: active } of recording.accounts.users as Body[]) {
      if (typeof password !== 'string') continue;
      const provision = (body: object) => here.as().ask('POST', '/api/users/tokens/provision/', { body });
      results.push([username, (await provision({ username, password })).status]);
      expected.push([username, active ? 201 : 403]);
      expect((await provision({ username, password: `${password}!` })).status).toBe(403);
    }
    expect(results.length).toBeGreaterThan(0);
    expect(results).toEqual(expected);
  });

  test('their tokens go on working, those of both versions', async () => {
    const results: [unknown, number][] = [];
    const expected: [unknown, number][] = [];
    for (const { version, key, plaintext, enabled, expires } of recording.accounts.tokens as Body[]) {
      const authorization = version === 2 ? `Bearer nbt_${key}.${plaintext}` : `Token ${plaintext}`;
      results.push([key ?? 'v1', (await here.as(authorization).get('/api/users/config/')).status]);
      expected.push([key ?? 'v1', enabled && !(expires && Date.parse(expires) < Date.now()) ? 200 : 403]);
    }
    expect(results.length).toBeGreaterThan(0);
    expect(results).toEqual(expected);
  });

  test(
    'every field of every object is what its API showed',
    async () => {
      const file = join(folder, 'compared.json');
      await runTool('moving/compare/main.ts', [
        ...['--from', api.base, '--token', THEIRS, '--to', system.base, '--to-token', system.token],
        ...['--report', file],
      ]);
      const lists = (JSON.parse(readFileSync(file, 'utf8')) as Body[]).filter(
        ({ list }) => served.has(list) && !LISTS.includes(list),
      );
      expect(lists.length).toBeGreaterThan(10);
      const different = lists.flatMap(({ list, onlyLeft, fields }) => [
        ...(onlyLeft.count ? [{ list, onlyLeft }] : []),
        ...Object.entries(fields).flatMap(([field, about]) =>
          FIELDS.some((known) => known.test(field)) ? [] : [{ list, field, about }],
        ),
      ]);
      expect(different).toEqual([]);
    },
    5 * MINUTES,
  );
});
