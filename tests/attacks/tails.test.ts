import { expect, test } from '@jest/globals';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { deliveries, soon } from '../support/webhooks/hooks.ts';
import { useSystem } from '../support/system.ts';
import { listen, type Tail } from '../support/webhooks/tail.ts';
import { userWith } from '../support/users.ts';
import { logIn } from '../support/pages/visitor.ts';

const used = useSystem();
const mayListen = { types: ['extras.webhookdelivery'], actions: ['view'] };
/** No delivery has this id, so the tail sends nothing. */
const quiet = '?id=0';

interface Listening {
  client: Client;
  id: number;
  name: string;
  token: number;
  permission: number;
}

/** A user who may follow tails, with a token made by the administrator. */
async function listener(more: object = {}): Promise<Listening> {
  const { id, name, permissions } = await userWith(used.admin, mayListen);
  const { key, token, id: number } = await used.admin.make('/api/users/tokens/', { user: id, ...more });
  return {
    client: used.admin.as(`Bearer svc_${key}.${token}`),
    id,
    name,
    token: number,
    permission: permissions[0].id,
  };
}

/**
 * How long a tail continues after an event that must end it, in milliseconds: the best of three, as a machine may be
 * slow at times, but nothing makes the tail end too soon.
 */
async function endsAfter(happens: (who: Listening) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3 && !times.some((ms) => ms < 1_000); i += 1) {
    const who = await listener();
    const tail = await listen(who.client, quiet);
    expect(tail.status).toBe(200);
    // It does not end by itself.
    await new Promise((resolve) => {
      setTimeout(resolve, 1_500);
    });
    expect(tail.endedAt).toBeUndefined();
    await happens(who);
    const answered = Date.now();
    try {
      await eventually(() => expect(tail.endedAt).toBeDefined(), 20_000);
    } finally {
      tail.close();
    }
    times.push(tail.endedAt! - answered);
    expect((await who.client.get(`${deliveries}tail/${quiet}`)).status).toBe(403);
  }
  return Math.min(...times);
}

test.each<[string, (who: Listening) => Promise<unknown>]>([
  ['its token is deleted', ({ token }) => used.admin.delete(`/api/users/tokens/${token}/`)],
  ['its token is disabled', ({ token }) => used.admin.patch(`/api/users/tokens/${token}/`, { enabled: false })],
  [
    'its token may be used from elsewhere only',
    ({ token }) => used.admin.patch(`/api/users/tokens/${token}/`, { allowed_ips: ['192.0.2.0/24'] }),
  ],
  ['its user is deactivated', ({ id }) => used.admin.patch(`/api/users/users/${id}/`, { is_active: false })],
  ['its user loses the permission', ({ permission }) => used.admin.delete(`/api/users/permissions/${permission}/`)],
  ['its user is deleted', ({ id }) => used.admin.delete(`/api/users/users/${id}/`)],
])('a tail ends within a second when %s', async (_, happens) => {
  expect(await endsAfter(happens)).toBeLessThan(1_000);
});

test('a tail ends when its token expires, and goes on for others', async () => {
  const other = await listener();
  // Tries again where the machine is slower than the lifetime of the token.
  const [expires, first] = await eventually(async () => {
    const until = Date.now() + 4_000;
    const who = await listener({ expires: new Date(until).toISOString() });
    const tail = await listen(who.client, quiet);
    expect(tail.status).toBe(200);
    return [until, tail] as const;
  });
  const tails = [first, await listen(other.client, quiet)] as const;
  try {
    await eventually(() => expect(tails[0].endedAt).toBeDefined(), 30_000);
    expect(tails[0].endedAt! - expires).toBeGreaterThan(-500);
    expect(tails[1].endedAt).toBeUndefined();
  } finally {
    for (const tail of tails) tail.close();
  }
});

test('a tail ends with its session', async () => {
  const { name } = await listener();
  const { base } = used.admin;
  const session = await logIn(base, name, 'Correct-Horse-9');
  const tail = await listen({ base, authorization: undefined, cookie: session.cookie }, quiet);
  expect(tail.status).toBe(200);
  await session.post('/logout/', { csrf_token: await session.csrfToken('/extras/webhook-deliveries/') });
  try {
    await eventually(() => expect(tail.endedAt).toBeDefined(), 5_000);
  } finally {
    tail.close();
  }
});

test('one user cannot keep all places at the tail: who has none gets one, and keeps it', async () => {
  const [greedy, other] = [await listener(), await listener()];
  const tails: Tail[] = [];
  try {
    while ((tails.at(-1)?.status ?? 200) === 200 && tails.length < 30) tails.push(await listen(greedy.client, quiet));
    expect(tails.at(-1)!.status).toBe(503);
    const fair = await listen(other.client, quiet);
    tails.push(fair);
    expect(fair.status).toBe(200);
    await eventually(() => expect(tails[0]!.endedAt).toBeDefined(), soon);
    // Pages of other tests follow tails, too: where one of them has left, there is room for one more.
    const asked: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      const one = await listen(greedy.client, quiet);
      tails.push(one);
      asked.push(one.status);
    }
    expect(asked.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(asked).toContain(503);
    expect(fair.endedAt).toBeUndefined();
  } finally {
    for (const tail of tails) tail.close();
  }
});
