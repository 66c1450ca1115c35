import { createPostgresLog } from '@cadastre/events/postgres';
import { topicOf } from '@cadastre/events';
import { withDatabase } from '@cadastre/service';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const PATH = '/api/core/parked-events/';
const used = useSystem();
const key = `dcim.site:${10 ** 12 + Date.now()}`;

/** The parked messages with our key; several services may follow sites. */
const ours = async (): Promise<Body[]> =>
  (await used.admin.all(`${PATH}?limit=1000`)).filter((event) => event.key === key);

beforeAll(async () => {
  const log = await createPostgresLog({ connection: withDatabase(used.system.postgres, 'cadastre_events') });
  await log.publish(topicOf('dcim'), [{ key, value: '{"no": "event"}' }]);
  await log.close();
});
afterAll(async () => {
  for (const { service, id } of await ours()) await used.admin.delete(`${PATH}${service}/${id}/`);
});

test('a message that is no event stops nothing, and is shown with what was wrong', async () => {
  const parked = await eventually(async () => {
    const found = (await ours()).find(({ service }) => service === 'extras');
    expect(found).toBeDefined();
    return found;
  });
  expect(parked).toMatchObject({
    group: 'extras.replicas',
    topic: 'cadastre.changes.dcim',
    error: expect.stringContaining('not a change event'),
    replays: 0,
    last_replay: null,
  });
  expect(await used.admin.read(parked.url)).toMatchObject({
    value: '{"no": "event"}',
    trace: expect.stringContaining('\n'),
  });
  const name = unique('site');
  const site = await used.admin.make('/api/dcim/sites/', { name, slug: name });
  await eventually(async () =>
    expect(
      await used.admin.column(
        `/api/extras/object-changes/?changed_object_type=dcim.site&changed_object_id=${site.id}`,
        'id',
      ),
    ).toHaveLength(1),
  );
});

test('replaying it fails for the same reason, and is counted; discarding it is the end of it', async () => {
  const [{ url }] = await ours();
  expect(await used.admin.post(`${url}replay/`)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('not a change event') },
  });
  expect(await used.admin.read(url)).toMatchObject({ replays: 1, last_replay: expect.any(String) });
  expect((await used.admin.delete(url)).status).toBe(204);
  expect((await used.admin.get(url)).status).toBe(404);
});

test('is shown to superusers only', async () => {
  const username = unique('user');
  await used.admin.make('/api/users/users/', { username, password: 'Some-Password-1' });
  const { body } = await used.admin
    .as()
    .post('/api/users/tokens/provision/', { username, password: 'Some-Password-1' });
  const client = used.admin.as(`Bearer svc_${body.key}.${body.token}`);
  expect((await client.get(PATH)).status).toBe(403);
  expect((await used.admin.as().get(PATH)).status).toBe(403);
});
