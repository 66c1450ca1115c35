import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { deliveries, makeRule, makeSite, makeWebhook, soon, webhooks } from '../../support/webhooks/hooks.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { useSystem } from '../../support/system.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const replays = '/api/extras/webhook-replays/';
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Waits until the records of the changes have arrived where replays read them. */
const recorded = (site: Body, count: number) =>
  eventually(
    async () =>
      expect(
        (await used.admin.read(`/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${site.id}`))
          .count,
      ).toBe(count),
    soon,
  );
const completed = (id: number): Promise<Body> =>
  eventually(async () => {
    const one = await used.admin.read(`${replays}${id}/`);
    expect(one.status.value).toBe('completed');
    return one;
  }, soon);

test('what happened in a time range is sent once more, to one webhook, as its rules say', async () => {
  const since = new Date().toISOString();
  const site = await makeSite(used.admin);
  const gone = await makeSite(used.admin);
  await used.admin.patch(`/api/dcim/sites/${site.id}/`, { description: 'changed' });
  await used.admin.delete(`/api/dcim/sites/${gone.id}/`);
  await recorded(site, 2);
  await recorded(gone, 2);
  // The webhook is made later: none of these changes was delivered to it.
  const [webhook, other] = [await makeWebhook(used.admin, receiver), await makeWebhook(used.admin, receiver)];
  const conditions = { attr: 'slug', op: 'in', value: [site.slug, gone.slug] };
  const rule = await makeRule(used.admin, webhook, { conditions });
  await makeRule(used.admin, other, { conditions });
  const made = await used.admin.post(`${webhooks}${webhook.id}/replay/`, { since });
  expect([made.status, made.body, made.headers.get('location')]).toEqual([
    202,
    expect.objectContaining({
      webhook: expect.objectContaining({ id: webhook.id }),
      requested_by: 'admin',
      object_types: [],
    }),
    `${used.system.base}${replays}${made.body.id}/`,
  ]);
  expect(await completed(made.body.id)).toMatchObject({ deliveries: 4, error: null, finished: expect.any(String) });
  await eventually(() => expect(receiver.at(`/${webhook.name}`)).toHaveLength(4), soon);
  const bodies = receiver
    .at(`/${webhook.name}`)
    .map(({ body }) => JSON.parse(body.toString()) as Body)
    .sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  expect(bodies.map(({ event, data }) => [event, data.slug])).toEqual([
    ['created', site.slug],
    ['created', gone.slug],
    ['updated', site.slug],
    ['deleted', gone.slug],
  ]);
  // The representation is the present one, or a deleted object's last snapshot; the snapshots are those of the change.
  expect(bodies[0]).toMatchObject({
    username: 'admin',
    data: { id: site.id, url: `/api/dcim/sites/${site.id}/`, description: 'changed' },
    snapshots: { prechange: null, postchange: { description: '' } },
  });
  expect(bodies[3]).toMatchObject({
    data: { id: gone.id, name: gone.name },
    snapshots: { prechange: { slug: gone.slug }, postchange: null },
  });
  expect(receiver.at(`/${other.name}`)).toEqual([]);
  const listed = await used.admin.read(`${deliveries}?replay_id=${made.body.id}`);
  expect(listed.count).toBe(4);
  expect(listed.results[0]).toMatchObject({
    kind: { value: 'replay' },
    rule: { id: rule.id },
    requested_by: 'admin',
    replay: { id: made.body.id },
  });
  // A second replay delivers everything again.
  const again = await used.admin.post(`${webhooks}${webhook.id}/replay/`, {
    since,
    until: new Date().toISOString(),
    object_types: ['dcim.site'],
  });
  expect(await completed(again.body.id)).toMatchObject({ deliveries: 4 });
  const none = await used.admin.post(`${webhooks}${webhook.id}/replay/`, { since, object_types: ['dcim.region'] });
  expect(await completed(none.body.id)).toMatchObject({ deliveries: 0 });
});

test('a replay goes on for as many events as there are', async () => {
  const since = new Date().toISOString();
  const webhook = await makeWebhook(used.admin, receiver);
  const site = await makeSite(used.admin);
  const sites = await used.admin.make(
    '/api/dcim/sites/',
    Array.from({ length: 450 }, (_, i) => ({ name: `${site.name}-${i}`, slug: `${site.slug}-${i}` })),
  );
  await recorded(sites[449], 1);
  await makeRule(used.admin, webhook, { conditions: { attr: 'slug', op: 'regex', value: `^${site.slug}-` } });
  const {
    body: { id },
  } = await used.admin.post(`${webhooks}${webhook.id}/replay/`, { since });
  await eventually(
    async () =>
      expect(await used.admin.read(`${replays}${id}/`)).toMatchObject({
        status: { value: 'completed' },
        deliveries: 450,
      }),
    2 * soon,
  );
  expect((await used.admin.read(`${replays}${id}/`)).events).toBeGreaterThanOrEqual(450);
  await eventually(
    () =>
      expect(
        new Set(receiver.at(`/${webhook.name}`).map(({ body }) => (JSON.parse(body.toString()) as Body).data.slug))
          .size,
      ).toBe(450),
    2 * soon,
  );
});

test('a replay is ended early, with what of it waits', async () => {
  const since = new Date().toISOString();
  const webhook = await makeWebhook(used.admin, receiver);
  const site = await makeSite(used.admin);
  await recorded(site, 1);
  await makeRule(used.admin, webhook, { conditions: { attr: 'slug', value: site.slug } });
  receiver.hold(`/${webhook.name}`);
  const {
    body: { id },
  } = await used.admin.post(`${webhooks}${webhook.id}/replay/`, { since });
  await completed(id);
  await eventually(() => expect(receiver.at(`/${webhook.name}`)).toHaveLength(1), soon);
  expect((await used.admin.post(`${replays}${id}/cancel/`)).status).toBe(409);
  expect((await used.admin.post(`${deliveries}cancel/?replay_id=${id}&status=running`)).body).toEqual({
    cancelled: 1,
    more: false,
  });
  receiver.release(`/${webhook.name}`);
  expect((await used.admin.post(`${replays}999999999/cancel/`)).status).toBe(404);
});

test('a replay needs its permission on the webhook, and a range that makes sense', async () => {
  const webhook = await makeWebhook(used.admin, receiver);
  const path = `${webhooks}${webhook.id}/replay/`;
  const { client } = await userWith(used.admin, { types: ['extras.webhook'], actions: ['view', 'change', 'test'] });
  expect((await client.post(path, { since: '2026-01-01' })).status).toBe(403);
  const { client: allowed } = await userWith(used.admin, { types: ['extras.webhook'], actions: ['replay'] });
  expect((await allowed.post(path, { since: new Date().toISOString() })).status).toBe(202);
  const ask = async (body: unknown) => {
    const answer = await used.admin.post(path, body);
    return [answer.status, answer.body];
  };
  expect(await ask({})).toEqual([400, { since: ['This field is required.'] }]);
  expect(await ask({ since: 'yesterday', until: null, object_types: ['dcim.nothing'] })).toEqual([
    400,
    { since: expect.any(Array), object_types: expect.anything() },
  ]);
  expect(await ask({ since: '2026-02-01', until: '2026-01-01' })).toEqual([
    400,
    { until: ['The end must not be before the beginning.'] },
  ]);
});
