import { expect, test } from '@jest/globals';
import type { Client } from '../support/client.ts';
import { makeSite } from '../support/webhooks/hooks.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';
const where = (filter: string, value: string): string => `${sites}?${filter}=${encodeURIComponent(value)}`;
const timed = async (work: Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work;
  return performance.now() - began;
};

/** Small enough to be accepted, but seconds of work for PostgreSQL before it has compared anything. */
const slow = String.raw`(\w?\d?\s?){240}x`;

test.each([
  ['name__regex', String.raw`(.*)\1`],
  ['slug__iregex', String.raw`^(a)(b)\2`],
  ['name__regex', String.raw`***:(a)\1`],
  ['name__regex', '(?b)a'],
  ['name__regex', '(a{200}){200}'],
  ['name__iregex', `((${'a|'.repeat(30)}b){30}){30}`],
])('%s=%s is refused, and the answer names the filter', async (filter, value) => {
  const { status, body } = await used.admin.get(where(filter, value));
  expect([status, Object.keys(body)]).toEqual([400, [filter]]);
  expect(body[filter]).toEqual([expect.stringMatching(/regular expression/)]);
});

test('a saved filter, a filter of deliveries that are steered and a constraint are no way around', async () => {
  const slug = unique('saved');
  const back = String.raw`(.*)\1`;
  await used.admin.make('/api/extras/saved-filters/', {
    name: slug,
    slug,
    object_types: ['dcim.site'],
    parameters: { name__regex: [back] },
  });
  expect(await used.admin.get(`${sites}?filter=${slug}`)).toMatchObject({
    status: 400,
    body: { name__regex: [expect.any(String)] },
  });
  expect(await used.admin.post('/api/extras/webhook-deliveries/requeue/', { destination__regex: back })).toMatchObject({
    status: 400,
  });
  expect(
    await used.admin.post('/api/users/permissions/', {
      name: unique('p'),
      object_types: ['dcim.site'],
      actions: ['view'],
      constraints: { name__regex: back },
    }),
  ).toMatchObject({ status: 400 });
});

test('what is meant well is compared as ever', async () => {
  const site = await makeSite(used.admin, 'sw-01');
  for (const value of ['^sw-[0-9]{2}', String.raw`^sw-\d+.*$`, '(?i)^SW-', '^(?:sw|rt)-(?=0)'])
    expect(await used.admin.column(`${where('name__regex', value)}&id=${site.id}`)).toEqual([site.name]);
  expect(await used.admin.get(where('name__regex', '('))).toMatchObject({
    status: 400,
    body: { name__regex: ['Enter a valid regular expression.'] },
  });
});

test('a search that takes long is stopped in its own time, and the answer names the filter', async () => {
  await makeSite(used.admin);
  const { client } = await userWith(used.admin, { actions: ['view'] });
  const stopped: [number, number][] = [];
  // The best of three: a machine may be slow at times, but nothing makes it faster than it is.
  for (let i = 0; i < 3 && !stopped.some(([, ms]) => ms < 4_000); i += 1) {
    let status = 0;
    const ms = await timed(
      client.get(where('name__regex', slow)).then(({ status: said, body }) => {
        status = said;
        expect(body).toEqual({ name__regex: [expect.stringMatching(/took more than 1000 ms/)] });
      }),
    );
    stopped.push([status, ms]);
  }
  expect(stopped.at(-1)![0]).toBe(400);
  expect(Math.min(...stopped.map(([, ms]) => ms))).toBeLessThan(4_000);
});

test('one user has one search at a time and some that wait; more are refused, and others do not wait for them', async () => {
  const site = await makeSite(used.admin);
  const [{ client: greedy }, { client: other }] = [
    await userWith(used.admin, { actions: ['view'] }),
    await userWith(used.admin, { actions: ['view'] }),
  ];
  const many = Array.from({ length: 20 }, () => greedy.get(where('name__regex', slow)));
  const refused = await Promise.any(
    many.map(async (one) => {
      const answer = await one;
      if (answer.status !== 429) throw new Error(String(answer.status));
      return answer;
    }),
  );
  expect([refused.headers.get('retry-after'), refused.body]).toEqual([
    '5',
    { detail: 'You have too many searches by regular expression under way. Please try again later.' },
  ]);
  expect(await other.column(`${where('name__regex', `^${site.name}$`)}`)).toEqual([site.name]);
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  // Those that ran took too long; those that waited for too long are told so.
  expect(statuses.filter((status) => ![400, 429, 503].includes(status))).toEqual([]);
  expect(statuses).toContain(400);
});

test('who leaves gives up the place', async () => {
  const { client } = await userWith(used.admin, { actions: ['view'] });
  const leaving = new AbortController();
  const ask = (one: Client) =>
    fetch(one.base + where('name__regex', slow), {
      headers: { Authorization: one.authorization! },
      signal: leaving.signal,
    }).catch(() => undefined);
  const asked = Array.from({ length: 11 }, () => ask(client));
  await new Promise((resolve) => {
    setTimeout(resolve, 200);
  });
  leaving.abort();
  await Promise.all(asked);
  // Eleven that take a second each are not waited for.
  expect(await timed(client.read(where('name__regex', '^none$')))).toBeLessThan(5_000);
});
