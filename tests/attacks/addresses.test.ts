// Forged addresses: what a client writes into X-Forwarded-For precedes what the proxy adds. The proxy of these tests is
// any client on this machine, which is trusted by default.
import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn } from '../support/pages/visitor.ts';

const used = useSystem();
const sites = '/api/dcim/sites/?limit=1';
const inside = '192.0.2.7';
const outside = '203.0.113.9';
let bound: string;

beforeAll(async () => {
  const { key, token } = await used.admin.make('/api/users/tokens/', {
    user: (await used.admin.read('/api/users/users/?username=admin')).results[0].id,
    allowed_ips: ['192.0.2.0/24'],
  });
  bound = `Bearer svc_${key}.${token}`;
});
const from = async (forwarded: string) => {
  const { status, body } = await used.admin.as(bound).get(sites, { 'X-Forwarded-For': forwarded });
  return [status, body.detail];
};

test('an address that a client puts before its own does not get a token in', async () => {
  const refusal = [403, `Source IP ${outside} is not permitted to authenticate using this token.`];
  for (const forged of [inside, `${inside}, ${inside}`, '10.0.0.1', 'garbage', '', '127.0.0.1'])
    expect(await from(`${forged}, ${outside}`)).toEqual(refusal);
  // Also with a second proxy of ours in between.
  expect(await from(`${inside}, ${outside}, 127.0.0.1`)).toEqual(refusal);
  expect(await from(`${inside}, ${outside}:4711, ::ffff:127.0.0.5`)).toEqual(refusal);
  expect(await from(`${outside}, ${inside}, 127.0.0.1`)).toEqual([200, undefined]);
});

test('an address of IPv4 is the same one where it is written as one of IPv6', async () => {
  const user = (await used.admin.read('/api/users/users/?username=admin')).results[0].id;
  for (const given of ['::ffff:192.0.2.7', '::ffff:192.0.2.0/120', '::ffff:c000:207/128']) {
    const made = await used.admin.make('/api/users/tokens/', { user, allowed_ips: [given] });
    const as = used.admin.as(`Bearer svc_${made.key}.${made.token}`);
    const statuses = async (...addresses: string[]) =>
      Promise.all(addresses.map(async (address) => (await as.get(sites, { 'X-Forwarded-For': address })).status));
    expect([given, await statuses(inside, `::ffff:${inside}`, '::ffff:c000:207')]).toEqual([given, [200, 200, 200]]);
    expect([given, await statuses(outside, `::ffff:${outside}`, '2001:db8::1')]).toEqual([given, [403, 403, 403]]);
  }
});

test('what is no address makes the client unknown, and nobody else', async () => {
  for (const garbage of [
    'unknown',
    '',
    `${inside}, unknown`,
    `${inside},`,
    '192.0.2.0/24',
    '192.0.2.7.1',
    `for=${inside}`,
    `${inside}, _hidden`,
  ]) {
    expect(await from(garbage)).toEqual([403, expect.stringContaining('Client IP address could not be determined')]);
  }
});

test('failed logins are counted by the address that the proxy saw', async () => {
  const { name } = await userWith(used.admin);
  const address = `198.51.100.${1 + Math.floor(Math.random() * 250)}`;
  let n = 0;
  const forged = () => ({ 'X-Forwarded-For': `10.1.${(n += 1) >> 8}.${n & 255}, ${address}` });
  const provision = (password: string) =>
    used.admin.as().post('/api/users/tokens/provision/', { username: name, password }, forged());
  // On a slow machine the first failure may be forgotten before the last has been counted.
  await eventually(async () => {
    for (let i = 0; i < 11; i += 1) await provision(unique('wrong'));
    expect((await provision(unique('wrong'))).status).toBe(429);
    expect((await logIn(used.system.base, name, 'wrong', undefined, forged())).status).toBe(429);
  });
});
