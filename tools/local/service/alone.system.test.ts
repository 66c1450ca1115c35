import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { apiPath, loadCatalogue } from '@cadastre/model';
import { Client } from '../../../tests/support/client.ts';
import { makeExample } from '../../contracts/example.ts';
import { EXAMPLES } from '../../contracts/examples.ts';
import { recordedExample } from '../../contracts/recorded.ts';
import { publicService, serviceNames } from '../supervisor/plan/plan.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/servers/postgres.ts';
import { clear, temporaryFolder } from '../../testing/test-run.ts';
import { type Alone, SERVICES, startAlone } from './alone.ts';

const catalogue = await loadCatalogue(SERVICES);
const databases: TestDatabase[] = [];
const folder = temporaryFolder();
afterAll(async () => {
  for (const one of databases) await one.drop();
  await clear(await folder);
});

async function database(): Promise<string> {
  const made = await createTestDatabase();
  databases.push(made);
  return made.url;
}

/** Runs a service alone, as `npm run service` does. */
async function alone(name: string, work: (service: Alone, database: string) => Promise<void>): Promise<void> {
  const own = await database();
  const service = await startAlone(name, {
    dataDir: join(await folder, name),
    databases: { own, events: await database() },
  });
  try {
    await work(service, own);
  } finally {
    await service.stop();
  }
  expect(await service.ended).toEqual([0, null]);
}

const owners = catalogue.services();
test.each(owners)(
  '%s creates and lists objects while its neighbours are stubs, and publishes what is recorded',
  async (name) => {
    const path = apiPath(catalogue.get(EXAMPLES[name]!.type));
    await alone(name, async ({ base }, database) => {
      const client = new Client(base);
      const { count } = await client.read(path);
      expect(await makeExample(name, { base, database, catalogue })).toEqual(recordedExample(name));
      const { results, ...page } = await client.read(`${path}?ordering=-id`);
      expect(page).toEqual({ count: count + 1, next: null, previous: null });
      expect(await client.read(`${path}${results[0].id}/`)).toEqual(results[0]);
    });
  },
);

test('the gateway forwards what it is asked to stubs of services', async () => {
  await alone(publicService, async ({ base }) => {
    expect(await new Client(base, 'Token any').read('/api/dcim/sites/')).toMatchObject({ count: 0, results: [] });
    expect((await new Client(base).get('/api/status/')).status).toBe(403);
  });
});

test('the web pages show what stubs of services list', async () => {
  await alone('web', async ({ base }) => {
    const page = await new Client(base).get('/dcim/sites/');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  });
});

test('no service is left out, and there is no other', async () => {
  expect([...owners, publicService, 'web'].sort()).toEqual(serviceNames(SERVICES));
  await expect(startAlone('elsewhere', { dataDir: await folder, databases: { own: '', events: '' } })).rejects.toThrow(
    'There is no service elsewhere',
  );
});
