import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import {
  used,
  providers,
  networks,
  circuits,
  terminations,
  named,
  network,
  circuit,
  interfaces,
  refused,
  end,
} from '../../support/objects/circuits.ts';

describe('terminations', () => {
  test('are the ends of their circuit', async () => {
    const { id, cid, provider } = await circuit();
    const site = await named('/api/dcim/sites/');
    const cloud = await network(provider.id);
    const a = await end(id, 'A', 'dcim.site', site.id, { port_speed: 1_000_000 });
    const z = await end(id, 'Z', 'circuits.providernetwork', cloud.id);
    expect(a).toMatchObject({
      display: `${cid}: Termination A`,
      term_side: 'A',
      termination: { id: site.id, slug: site.slug },
      port_speed: 1_000_000,
      cable: null,
      cable_end: null,
      mark_connected: false,
      _occupied: false,
    });
    expect(await used.admin.read(`${circuits}${id}/`)).toMatchObject({
      termination_a: {
        id: a.id,
        display: `${cid}: Termination A`,
        termination_type: 'dcim.site',
        termination: { id: site.id },
        port_speed: 1_000_000,
      },
      termination_z: { id: z.id, termination: { id: cloud.id } },
    });
    expect(Object.keys((await used.admin.read(`${circuits}${id}/`)).termination_a)).toEqual([
      'id',
      'url',
      'display_url',
      'display',
      'termination_type',
      'termination_id',
      'termination',
      'port_speed',
      'upstream_speed',
      'xconnect_id',
      'description',
    ]);
    expect(await used.admin.column(`${circuits}?termination_a_id=${a.id}`, 'id')).toEqual([id]);
    const other = await circuit();
    expect((await used.admin.patch(`${terminations}${a.id}/`, { circuit: other.id, term_side: 'Z' })).status).toBe(200);
    expect(await used.admin.read(`${circuits}${id}/`)).toMatchObject({
      termination_a: null,
      termination_z: { id: z.id },
    });
    expect(await used.admin.read(`${circuits}${other.id}/`)).toMatchObject({
      termination_a: null,
      termination_z: { id: a.id },
    });
    expect((await used.admin.delete(`${terminations}${a.id}/`)).status).toBe(204);
    expect(await used.admin.read(`${circuits}${other.id}/`)).toMatchObject({ termination_z: null });
    expect((await used.admin.patch(`${circuits}${id}/`, { cid: `${cid}!` })).status).toBe(200);
    expect((await used.admin.read(`${terminations}${z.id}/`)).display).toBe(`${cid}!: Termination Z`);
  });

  test('are somewhere, one on each side', async () => {
    const { id } = await circuit();
    const site = await named('/api/dcim/sites/');
    await end(id, 'A', 'dcim.site', site.id);
    const body = { circuit: id, term_side: 'Z', termination_type: 'dcim.site', termination_id: site.id };
    expect(await refused(terminations, { ...body, term_side: 'A' })).toEqual([
      400,
      { __all__: ['Circuit termination with this Circuit and Termination side already exists.'] },
    ]);
    expect(await refused(terminations, { circuit: id, term_side: 'Z' })).toEqual([
      400,
      { __all__: ['A circuit termination must attach to a terminating object.'] },
    ]);
    expect((await refused(terminations, { ...body, termination_type: 'dcim.manufacturer' }))[1]).toHaveProperty(
      'termination_type',
    );
    expect((await refused(terminations, { ...body, termination_id: 999_999 }))[1]).toHaveProperty('termination_id');
    expect(await refused(terminations, { ...body, term_side: 'B' })).toEqual([
      400,
      { term_side: ['B is not a valid choice.'] },
    ]);
  });

  test('find circuits and providers by place, and places count them', async () => {
    const region = await named('/api/dcim/regions/');
    const site = await named('/api/dcim/sites/', {
      region: (await named('/api/dcim/regions/', { parent: region.id })).id,
    });
    const location = await named('/api/dcim/locations/', { site: site.id });
    const made = await circuit();
    const cloud = await network(made.provider.id);
    const a = await end(made.id, 'A', 'dcim.location', location.id);
    await end(made.id, 'Z', 'circuits.providernetwork', cloud.id);
    for (const filter of [
      `location_id=${location.id}`,
      `site=${site.slug}`,
      `site_id=${site.id}`,
      `region=${region.slug}`,
      `provider_network_id=${cloud.id}`,
    ]) {
      await eventually(async () => {
        expect([filter, await used.admin.column(`${circuits}?${filter}`, 'id')]).toEqual([filter, [made.id]]);
      });
    }
    await eventually(async () =>
      expect(await used.admin.column(`${providers}?region_id=${region.id}`, 'id')).toEqual([made.provider.id]),
    );
    expect(await used.admin.column(`${terminations}?site_id=${site.id}&provider=${made.provider.slug}`, 'id')).toEqual([
      a.id,
    ]);
    expect(await used.admin.column(`${terminations}?q=${made.cid}`, 'term_side')).toEqual(['A', 'Z']);
    await eventually(async () => {
      expect((await used.admin.read(`/api/dcim/sites/${site.id}/`)).circuit_count).toBe(1);
    });
  });

  test('go with their place and their circuit, and protect a provider network', async () => {
    const made = await circuit();
    const cloud = await network(made.provider.id);
    const site = await named('/api/dcim/sites/');
    const [a, z] = [
      await end(made.id, 'A', 'dcim.site', site.id),
      await end(made.id, 'Z', 'circuits.providernetwork', cloud.id),
    ];
    expect((await used.admin.delete(`${networks}${cloud.id}/`)).status).toBe(409);
    expect((await used.admin.delete(`/api/dcim/sites/${site.id}/`)).status).toBe(204);
    await eventually(async () => {
      expect((await used.admin.get(`${terminations}${a.id}/`)).status).toBe(404);
    });
    expect(await used.admin.read(`${circuits}${made.id}/`)).toMatchObject({
      termination_a: null,
      termination_z: { id: z.id },
    });
    expect((await used.admin.delete(`${circuits}${made.id}/`)).status).toBe(204);
    expect((await used.admin.get(`${terminations}${z.id}/`)).status).toBe(404);
    expect((await used.admin.delete(`${networks}${cloud.id}/`)).status).toBe(204);
  });
});

test('a cable at a termination is known there, and forgotten with the cable', async () => {
  const [port] = (await interfaces('1000base-t')) as [Body];
  const made = await circuit();
  const site = await named('/api/dcim/sites/');
  const a = await end(made.id, 'A', 'dcim.site', site.id);
  const cable = await used.admin.make('/api/dcim/cables/', {
    a_terminations: [{ object_type: 'dcim.interface', object_id: port.id }],
    b_terminations: [{ object_type: 'circuits.circuittermination', object_id: a.id }],
  });
  await eventually(async () => {
    expect(await used.admin.read(`${terminations}${a.id}/`)).toMatchObject({
      cable: { id: cable.id },
      cable_end: 'B',
      link_peers: [{ id: port.id, name: 'if0' }],
      link_peers_type: 'dcim.interface',
      _occupied: true,
    });
  });
  expect(
    await used.admin.column(`${terminations}?cable_id=${cable.id}&cabled=true&occupied=true&cable_end=B`, 'id'),
  ).toEqual([a.id]);
  await eventually(async () => {
    expect(await used.admin.read(`${terminations}${a.id}/paths/`)).toMatchObject([
      { path: [[{ id: port.id }], [{ id: cable.id }], [{ id: a.id }]], is_complete: false },
    ]);
  });
  expect((await used.admin.patch(`${terminations}${a.id}/`, { mark_connected: true })).body).toEqual({
    mark_connected: ['Cannot mark as connected with a cable attached.'],
  });
  expect((await used.admin.delete(`/api/dcim/cables/${cable.id}/`)).status).toBe(204);
  await eventually(async () => {
    expect(await used.admin.read(`${terminations}${a.id}/`)).toMatchObject({
      cable: null,
      cable_end: null,
      link_peers: [],
      link_peers_type: null,
      _occupied: false,
    });
  });
});
