import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { device, kit, used } from '../../support/objects/components.ts';
import { PageForm } from '../../support/pages/pageForm.ts';
import { adminPassword } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { logIn } from '../../support/pages/visitor.ts';
import { machine } from '../../support/objects/virtualization.ts';

const ADDRESSES = 'ipam/ip-addresses';
const KINDS = ['dcim.interface', 'virtualization.vminterface', 'ipam.fhrpgroup'];

const holders: Record<string, Body> = {};
beforeAll(async () => {
  const vm = await machine();
  Object.assign(holders, {
    'dcim.interface': await kit.interface(device),
    'virtualization.vminterface': await kit.make('virtualization/interfaces', { virtual_machine: vm.id, name: 'eth0' }),
    'ipam.fhrpgroup': await kit.make('ipam/fhrp-groups', { protocol: 'vrrp3', group_id: 1, name: unique('group') }),
  });
});

const to = (type: string) => ({ assigned_object_type: type, assigned_object_id: holders[type]!.id });
const own = (): Promise<Body> => kit.make('ipam/vrfs', { name: unique('vrf'), enforce_unique: false });
const said = (address: string, what = 'network ID') => ({
  address: [`${address} is a ${what}, which may not be assigned to an interface.`],
});

describe.each(KINDS)('%s', (type) => {
  test('gets no address that stands for its network, or for all hosts there', async () => {
    const vrf = (await own()).id;
    const made = async (address: string) => {
      const answer = await used.admin.post(`/api/${ADDRESSES}/`, { address, vrf, ...to(type) });
      return answer.status === 201 ? 201 : [answer.status, answer.body];
    };
    expect(await made('192.0.2.64/26')).toEqual([400, said('192.0.2.64')]);
    expect(await made('192.0.2.127/26')).toEqual([400, said('192.0.2.127', 'broadcast address')]);
    expect(await made('192.0.2.0/30')).toEqual([400, said('192.0.2.0')]);
    expect(await made('2001:db8:1::/64')).toEqual([400, said('2001:db8:1::')]);
    expect(await made('2001:db8:1::4/126')).toEqual([400, said('2001:db8:1::4')]);
    for (const right of [
      '192.0.2.65/26',
      '192.0.2.126/26',
      '192.0.2.64/31',
      '192.0.2.65/31',
      '192.0.2.64/32',
      '2001:db8:1::/127',
      '2001:db8:1::1/127',
      '2001:db8:1::/128',
      '2001:db8:1::ffff:ffff:ffff:ffff/64',
    ])
      expect([right, await made(right)]).toEqual([right, 201]);
  });

  test('does not get one later, by the address, its mask or the assignment, one or many', async () => {
    const vrf = (await own()).id;
    const [loose, held] = await kit.make(ADDRESSES, [
      { address: '198.51.100.0/24', vrf },
      { address: '198.51.100.4/24', vrf, ...to(type) },
    ]);
    expect(await kit.refused('patch', `${ADDRESSES}/${loose.id}`, to(type))).toEqual([400, said('198.51.100.0')]);
    const setting = (address: string) => kit.refused('patch', `${ADDRESSES}/${held.id}`, { address });
    expect(await setting('198.51.100.4/30')).toEqual([400, said('198.51.100.4')]);
    expect(await setting('198.51.100.255/24')).toEqual([400, said('198.51.100.255', 'broadcast address')]);
    expect(
      await kit.refused('patch', ADDRESSES, [
        { id: held.id, description: 'right' },
        { id: loose.id, ...to(type) },
      ]),
    ).toEqual([400, [{}, said('198.51.100.0')]]);
    expect(
      await kit.refused('post', ADDRESSES, [
        { address: '198.51.100.9/24', vrf, ...to(type) },
        { address: '198.51.100.255/24', vrf, ...to(type) },
        { address: '198.51.100.255/24', vrf },
      ]),
    ).toEqual([400, [{}, said('198.51.100.255', 'broadcast address'), {}]]);
    expect(await kit.read(`${ADDRESSES}/${held.id}`)).toMatchObject({ address: '198.51.100.4/24', description: '' });
    const free = { assigned_object_type: null, assigned_object_id: null };
    expect(await kit.patch(`${ADDRESSES}/${held.id}`, { ...free, address: '198.51.100.4/30' })).toMatchObject({
      assigned_object: null,
    });
    expect(await kit.patch(`${ADDRESSES}/${loose.id}`, { ...to(type), address: '198.51.100.0/31' })).toMatchObject(
      to(type),
    );
  });
});

test('a free address is not handed out to an interface where it stands for its network', async () => {
  const vrf = (await own()).id;
  const prefix = await kit.make('ipam/prefixes', { prefix: '203.0.113.0/24', vrf, is_pool: true });
  const free = `ipam/prefixes/${prefix.id}/available-ips`;
  expect(await kit.refused('post', free, to('dcim.interface'))).toEqual([400, said('203.0.113.0')]);
  expect(await kit.make(free, {})).toMatchObject({ address: '203.0.113.0/24' });
  expect(await kit.make(free, to('dcim.interface'))).toMatchObject({ address: '203.0.113.1/24' });
});

test('forms and imports say it at the field', async () => {
  const admin = await logIn(used.system.base, 'admin', adminPassword);
  const port = holders['dcim.interface']!;
  const form = new PageForm(
    (await admin.get(`/${ADDRESSES}/add/?assigned_object_type=dcim.interface&assigned_object_id=${port.id}`)).html,
  );
  form.fill('address', '192.0.2.0/24');
  const refused = await admin.post(`/${ADDRESSES}/add/`, Object.fromEntries(form.sent()));
  expect([refused.status, refused.html.includes(said('192.0.2.0').address[0]!)]).toEqual([400, true]);
  const imported = await admin.post(`/${ADDRESSES}/import/`, {
    csrf_token: await admin.csrfToken(`/${ADDRESSES}/import/`),
    text: `address,vrf,status,assigned_object_type,assigned_object_id\n192.0.2.255/24,${(await own()).name},active,dcim.interface,${port.id}\n`,
  });
  expect(imported.status).toBe(400);
  expect(imported.html).toMatch(
    /<tr><td>2:1<\/td><td>Address<\/td><td>192\.0\.2\.255 is a broadcast address, which may not be assigned to an interface\.<\/td><\/tr>/,
  );
});
