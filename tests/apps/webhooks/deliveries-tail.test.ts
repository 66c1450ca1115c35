import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { deliveries, ended, makeSite, makeWebhook, sample, soon } from '../../support/webhooks/hooks.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { useSystem } from '../../support/system.ts';
import { listen, type Tail } from '../../support/webhooks/tail.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test('deliveries are told as they go, through the gateway, to those who asked for them', async () => {
  const [webhook, other] = [await makeWebhook(used.admin, receiver), await makeWebhook(used.admin, receiver)];
  const site = await makeSite(used.admin);
  const tail = await listen(used.admin, `?webhook_id=${webhook.id}`);
  try {
    expect([tail.status, tail.headers.get('content-type'), tail.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream',
      'no-store',
    ]);
    receiver.hold(`/${webhook.name}`);
    const {
      body: { id },
    } = await sample(used.admin, webhook, site);
    await sample(used.admin, other, site);
    // While the receiver does not answer, the tail still shows that the delivery is running.
    await eventually(
      () =>
        expect(tail.events).toContainEqual(
          expect.objectContaining({ id, status: { value: 'running', label: 'Running' } }),
        ),
      soon,
    );
    expect((await used.admin.post(`${deliveries}${id}/cancel/`)).status).toBe(200);
    await eventually(
      () =>
        expect(tail.events.at(-1)).toMatchObject({
          id,
          status: { value: 'cancelled' },
          cancelled_by: 'admin',
          webhook: { id: webhook.id },
        }),
      soon,
    );
    expect(new Set(tail.events.map((event) => event.webhook.id))).toEqual(new Set([webhook.id]));
    // The payload is included only when `fields` names it.
    expect(tail.events[0]).not.toHaveProperty('payload');
  } finally {
    tail.close();
  }
});

test('who comes again is told what happened meanwhile', async () => {
  const webhook = await makeWebhook(used.admin, receiver);
  const site = await makeSite(used.admin);
  const query = `?webhook_id=${webhook.id}&fields=id,status`;
  const tail = await listen(used.admin, query);
  const {
    body: { id: first },
  } = await sample(used.admin, webhook, site);
  await eventually(
    () => expect(tail.events.at(-1)).toEqual({ id: first, status: { value: 'succeeded', label: 'Succeeded' } }),
    soon,
  );
  await eventually(() => expect(tail.lastId).toMatch(/^\d+$/), soon);
  tail.close();
  const {
    body: { id: second },
  } = await sample(used.admin, webhook, site);
  await ended(used.admin, second, 'succeeded');
  const again = await listen(used.admin, query, tail.lastId);
  try {
    await eventually(
      () => expect(again.events).toContainEqual({ id: second, status: { value: 'succeeded', label: 'Succeeded' } }),
      soon,
    );
  } finally {
    again.close();
  }
  // Without a position, the tail begins at the present moment.
  const fresh = await listen(used.admin, query);
  await new Promise((resolve) => {
    setTimeout(resolve, 1_200);
  });
  expect(fresh.events).toEqual([]);
  fresh.close();
});

test('only those who may see deliveries are told, and only of those', async () => {
  const [webhook, other] = [await makeWebhook(used.admin, receiver), await makeWebhook(used.admin, receiver)];
  const site = await makeSite(used.admin);
  const { client: nobody } = await userWith(used.admin);
  expect((await nobody.get(`${deliveries}tail/`)).status).toBe(403);
  const { client } = await userWith(used.admin, {
    types: ['extras.webhookdelivery'],
    actions: ['view'],
    constraints: { webhook__name: webhook.name },
  });
  const tail = await listen(client);
  try {
    const {
      body: { id: hidden },
    } = await sample(used.admin, other, site);
    await ended(used.admin, hidden, 'succeeded');
    const {
      body: { id },
    } = await sample(used.admin, webhook, site);
    await eventually(() => expect(tail.events.at(-1)).toMatchObject({ id, status: { value: 'succeeded' } }), soon);
    expect(tail.events.map((event) => event.id)).not.toContain(hidden);
    expect(tail.text).not.toContain(other.name);
  } finally {
    tail.close();
  }
});

test('what cannot be followed is refused before the stream begins', async () => {
  expect(await used.admin.get(`${deliveries}tail/?bogus=1`)).toMatchObject({
    status: 400,
    body: { bogus: ['Unknown filter.'] },
  });
  expect(await used.admin.get(`${deliveries}tail/?webhook=none-of-this-name`)).toMatchObject({ status: 400 });
  expect((await used.admin.post(`${deliveries}tail/`)).status).toBe(405);
});

test('there are only so many listeners, and one that leaves makes room', async () => {
  const tails: Tail[] = [];
  try {
    for (let i = 0; i < 20; i += 1) tails.push(await listen(used.admin, '?id=0'));
    const full = await used.admin.get(`${deliveries}tail/?id=0`);
    expect([full.status, full.body, full.headers.get('retry-after')]).toEqual([
      503,
      { detail: 'There are 20 listeners already; no more are allowed.' },
      '10',
    ]);
  } finally {
    for (const tail of tails) tail.close();
  }
  await eventually(async () => {
    const tail = await listen(used.admin, '?id=0');
    tail.close();
    expect(tail.status).toBe(200);
  }, soon);
});
