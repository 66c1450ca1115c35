import { describe, expect, test } from '@jest/globals';
import { unique } from '../../support/unique.ts';
import {
  used,
  providers,
  accounts,
  networks,
  types,
  circuits,
  groups,
  members,
  virtualTypes,
  virtuals,
  named,
  network,
  circuit,
  refused,
} from '../../support/objects/circuits.ts';

describe('providers', () => {
  test('show their accounts and take over those that are named', async () => {
    const [one, other] = [await named(providers), await named(providers)];
    const account = await used.admin.make(accounts, { provider: one.id, account: unique('A'), name: 'main' });
    expect(account.display).toBe(`${account.account} (main)`);
    expect((await used.admin.read(`${providers}${one.id}/`)).accounts).toEqual([
      {
        id: account.id,
        url: account.url,
        display_url: account.display_url,
        display: account.display,
        name: 'main',
        account: account.account,
      },
    ]);
    expect(
      (await used.admin.patch(`${providers}${other.id}/`, { accounts: [account.id] })).body.accounts,
    ).toMatchObject([{ id: account.id }]);
    expect((await used.admin.read(`${accounts}${account.id}/`)).provider.id).toBe(other.id);
    // An account belongs to some provider, so leaving it out changes nothing.
    expect((await used.admin.patch(`${providers}${other.id}/`, { accounts: [] })).body.accounts).toHaveLength(1);
    const twin = await used.admin.make(accounts, { provider: one.id, account: account.account });
    const { status, body } = await used.admin.patch(`${providers}${other.id}/`, { accounts: [twin.id] });
    expect([status, body]).toEqual([
      400,
      { accounts: ['Provider account with this Provider and Account already exists.'] },
    ]);
    const third = await named(providers);
    expect((await used.admin.patch(`${providers}${third.id}/`, { accounts: [account.id, twin.id] })).body).toEqual(
      body,
    );
    expect((await used.admin.read(`${accounts}${twin.id}/`)).provider.id).toBe(one.id);
  });

  test('have accounts and networks whose names differ', async () => {
    const { id } = await named(providers);
    const account = unique('A');
    const name = unique('n');
    expect((await used.admin.make(accounts, { provider: id, account, name })).display).toBe(`${account} (${name})`);
    expect((await used.admin.make(accounts, { provider: id, account: unique('B') })).name).toBe('');
    await used.admin.make(accounts, { provider: id, account: unique('B') });
    expect(await refused(accounts, { provider: id, account })).toEqual([
      400,
      { __all__: ['Provider account with this Provider and Account already exists.'] },
    ]);
    expect(await refused(accounts, { provider: id, account: unique('C'), name })).toEqual([
      400,
      { __all__: ['Provider account with this Provider and Name already exists.'] },
    ]);
    await network(id, { name });
    expect(await refused(networks, { provider: id, name })).toEqual([
      400,
      { __all__: ['Provider network with this Provider and Name already exists.'] },
    ]);
    expect((await used.admin.delete(`${providers}${id}/`)).status).toBe(409);
  });
});

describe('circuits', () => {
  test('are shown with their fields in order', async () => {
    const made = await circuit({
      install_date: '2026-01-01',
      commit_rate: 100_000,
      distance: 12.5,
      distance_unit: 'km',
    });
    expect(Object.keys(made)).toEqual([
      'id',
      'url',
      'display_url',
      'display',
      'cid',
      'provider',
      'provider_account',
      'type',
      'status',
      'tenant',
      'install_date',
      'termination_date',
      'commit_rate',
      'description',
      'distance',
      'distance_unit',
      'termination_a',
      'termination_z',
      'owner',
      'comments',
      'tags',
      'custom_fields',
      'created',
      'last_updated',
    ]);
    expect(made).toMatchObject({
      display: made.cid,
      status: { value: 'active' },
      distance: 12.5,
      distance_unit: { value: 'km', label: 'Kilometers' },
      termination_a: null,
    });
    expect((await used.admin.read(`${circuits}?brief=true&id=${made.id}`)).results).toEqual([
      {
        id: made.id,
        url: made.url,
        display: made.cid,
        cid: made.cid,
        provider: {
          id: made.provider.id,
          url: made.provider.url,
          display: made.provider.name,
          name: made.provider.name,
          slug: made.provider.slug,
          description: '',
        },
        description: '',
      },
    ]);
    expect(await used.admin.column(`${circuits}?q=${made.cid}`, 'id')).toEqual([made.id]);
  });

  test('are ordered with the provider that bills the account, once by each', async () => {
    const [one, other, type] = [await named(providers), await named(providers), await named(types)];
    const account = await used.admin.make(accounts, { provider: one.id, account: unique('A') });
    const made = await circuit({ provider: one.id, type: type.id, provider_account: account.id });
    expect(
      await refused(circuits, { cid: unique(), provider: other.id, type: type.id, provider_account: account.id }),
    ).toEqual([400, { provider_account: ['The assigned account must belong to the assigned provider.'] }]);
    expect(
      (await refused(circuits, { cid: made.cid, provider: one.id, type: type.id, provider_account: account.id }))[1],
    ).toEqual({
      __all__: [
        'Circuit with this Provider and Circuit ID already exists.',
        'Circuit with this Provider account and Circuit ID already exists.',
      ],
    });
    expect((await circuit({ cid: made.cid, provider: other.id })).cid).toBe(made.cid);
    expect(await used.admin.column(`${circuits}?provider_account=${account.account}`, 'id')).toEqual([made.id]);
    expect(await used.admin.column(`${types}?id=${type.id}`, 'circuit_count')).toEqual([1]);
  });

  test('have a distance with a unit', async () => {
    expect(
      await refused(circuits, {
        cid: unique(),
        provider: (await named(providers)).id,
        type: (await named(types)).id,
        distance: 5,
      }),
    ).toEqual([400, { __all__: ['Must specify a unit when setting a distance'] }]);
    expect(await circuit({ distance_unit: 'mi' })).toMatchObject({ distance: null, distance_unit: null });
    expect((await used.admin.post(circuits, { cid: unique(), assignments: [1] })).body).toHaveProperty('assignments');
  });

  test('sort by provider, account and number', async () => {
    const name = unique('ZZ');
    const [b, a] = [await named(providers, { name: `${name}-b` }), await named(providers, { name: `${name}-a` })];
    const made = [
      await circuit({ provider: b.id, cid: '1' }),
      await circuit({ provider: b.id, cid: '0' }),
      await circuit({ provider: a.id, cid: '9' }),
    ];
    expect(await used.admin.column(`${circuits}?${made.map(({ id }) => `id=${id}`).join('&')}`, 'cid')).toEqual([
      '9',
      '0',
      '1',
    ]);
  });
});

describe('groups', () => {
  test('have circuits and virtual circuits as members', async () => {
    const group = await named(groups);
    const one = await circuit();
    const cloud = await network(one.provider.id);
    const virtual = await used.admin.make(virtuals, {
      cid: unique('V'),
      provider_network: cloud.id,
      type: (await named(virtualTypes)).id,
    });
    const made = await used.admin.make(members, {
      group: group.id,
      member_type: 'circuits.circuit',
      member_id: one.id,
      priority: 'primary',
    });
    expect(made).toMatchObject({
      display: `${group.name} (Primary)`,
      group: { id: group.id },
      member: { id: one.id, cid: one.cid },
      priority: { value: 'primary', label: 'Primary' },
    });
    const other = await used.admin.make(members, {
      group: group.id,
      member_type: 'circuits.virtualcircuit',
      member_id: virtual.id,
    });
    expect(other).toMatchObject({ display: group.name, priority: null });
    expect((await used.admin.read(`${groups}${group.id}/`)).circuit_count).toBe(2);
    for (const [filter, ids] of [
      [`circuit=${one.cid}`, [made.id]],
      [`circuit_id=${one.id}&group=${group.slug}`, [made.id]],
      [`virtual_circuit=${virtual.cid}`, [other.id]],
      [`provider=${one.provider.slug}`, [made.id, other.id]],
      [`provider_id=${one.provider.id}`, [made.id, other.id]],
      ['circuit_id=999999', []],
    ] as const) {
      expect([filter, await used.admin.column(`${members}?${filter}`, 'id')]).toEqual([filter, ids]);
    }
    expect(await refused(members, { group: group.id, member_type: 'circuits.circuit', member_id: one.id })).toEqual([
      400,
      { __all__: ['Circuit group assignment with this Member type, Member ID and Group already exists.'] },
    ]);
    expect(
      (await refused(members, { group: group.id, member_type: 'circuits.provider', member_id: one.provider.id }))[1],
    ).toHaveProperty('member_type');
    expect((await used.admin.delete(`${circuits}${one.id}/`)).status).toBe(204);
    expect((await used.admin.get(`${members}${made.id}/`)).status).toBe(404);
    expect((await used.admin.delete(`${groups}${group.id}/`)).status).toBe(204);
    expect((await used.admin.get(`${members}${other.id}/`)).status).toBe(404);
  });
});
