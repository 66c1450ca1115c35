import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { apiPath, loadCatalogue, type Model } from '@cadastre/model';
import { Client } from '../../tests/support/client.ts';
import { Maker } from '../../tests/support/objects/maker.ts';
import { publicService, serviceNames } from '../local/supervisor/plan/plan.ts';
import { createTestDatabase, type TestDatabase } from '../testing/servers/postgres.ts';
import { clear, temporaryFolder } from '../testing/test-run.ts';
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
async function alone(name: string, work: (service: Alone) => Promise<void>): Promise<void> {
  const service = await startAlone(name, {
    dataDir: join(await folder, name),
    databases: { own: await database(), events: await database() },
  });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
  expect(await service.ended).toEqual([0, null]);
}

/** An object of it needs no other: what it refers to may be a neighbour's, and stubs have none. */
const standsAlone = ({ readOnly, fromEvents, part, fields }: Model): boolean =>
  !readOnly && !fromEvents && !part && !Object.values(fields).some(({ relation, required }) => relation && required);

const owners = catalogue.services();
test.each(owners)('%s lists and creates objects while its neighbours are stubs', async (name) => {
  const model = catalogue.ownedBy(name).find(standsAlone)!;
  await alone(name, async ({ base }) => {
    const client = new Client(base);
    const before = await client.read(apiPath(model));
    const { made } = await new Maker(catalogue, client).make(model, { full: false });
    expect((await client.read(apiPath(model))).count).toBe(before.count + 1);
    expect(await client.read(`${apiPath(model)}${made.id}/`)).toEqual(made);
  });
});

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
