import { describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import { loadCatalogue } from '@cadastre/model';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();

/**
 * The fields that a PUT resets when it leaves them out, by type. Scripts clear fields that way, and rely on others
 * being kept: a change here has to be made on purpose.
 */
const RESETS: Record<string, string> = {
  'circuits.circuit': 'provider_account',
  'circuits.circuittermination': 'termination_type termination_id',
  'circuits.provideraccount': 'name',
  'circuits.virtualcircuit': 'provider_account',
  'dcim.cable': 'bundle',
  'dcim.consoleporttemplate': 'device_type module_type',
  'dcim.consoleserverporttemplate': 'device_type module_type',
  'dcim.device': 'tenant location rack position face virtual_chassis vc_position config_template',
  'dcim.devicerole': 'config_template parent',
  'dcim.devicetype': 'u_height',
  'dcim.frontporttemplate': 'device_type module_type',
  'dcim.interface': 'wwn',
  'dcim.interfacetemplate': 'device_type module_type',
  'dcim.inventoryitem': 'parent manufacturer',
  'dcim.inventoryitemtemplate': 'manufacturer parent',
  'dcim.location': 'parent',
  'dcim.modulebay': 'module',
  'dcim.modulebaytemplate': 'device_type module_type',
  'dcim.platform': 'parent config_template',
  'dcim.powerfeed': 'rack status type supply phase',
  'dcim.poweroutlettemplate': 'device_type module_type',
  'dcim.powerpanel': 'location',
  'dcim.powerporttemplate': 'device_type module_type',
  'dcim.rack': 'facility_id location rack_type',
  'dcim.rearporttemplate': 'device_type module_type',
  'dcim.region': 'parent',
  'dcim.sitegroup': 'parent',
  'dcim.virtualchassis': 'master',
  'dcim.virtualdevicecontext': 'identifier tenant',
  'extras.configcontext': 'profile',
  'ipam.prefix': 'scope_type scope_id',
  'ipam.vlan': 'group qinq_svlan',
  'ipam.vlangroup': 'scope_type scope_id',
  'tenancy.contactassignment': 'priority',
  'tenancy.contactgroup': 'parent',
  'tenancy.tenant': 'group',
  'users.token': 'allowed_ips',
  'virtualization.cluster': 'group scope_type scope_id',
  'virtualization.virtualmachine': 'virtual_machine_type site cluster device tenant config_template',
};

test('a PUT resets what it reset', async () => {
  const { models } = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));
  expect(
    Object.fromEntries(
      [...models.values()].filter(({ resets }) => resets.length).map(({ name, resets }) => [name, resets.join(' ')]),
    ),
  ).toEqual(RESETS);
});

describe('a PUT', () => {
  const place = async () => {
    const mark = unique('put');
    const site = await used.admin.make('/api/dcim/sites/', { name: mark, slug: mark });
    const location = await used.admin.make('/api/dcim/locations/', { site: site.id, name: mark, slug: mark });
    const rack = await used.admin.make('/api/dcim/racks/', {
      site: site.id,
      location: location.id,
      name: mark,
      facility_id: 'F-9',
      airflow: 'front-to-rear',
    });
    const maker = await used.admin.make('/api/dcim/manufacturers/', { name: mark, slug: mark });
    const type = await used.admin.make('/api/dcim/device-types/', {
      manufacturer: maker.id,
      model: mark,
      slug: mark,
      u_height: 2,
    });
    const role = await used.admin.make('/api/dcim/device-roles/', { name: mark, slug: mark });
    const tenant = await used.admin.make('/api/tenancy/tenants/', { name: mark, slug: mark });
    return { mark, site, location, rack, maker, type, role, tenant };
  };
  const gone = { tenant: null, location: null, rack: null, position: null, face: null };

  test('takes a device out of its rack, and leaves what it is', async () => {
    const { mark, site, location, rack, type, role, tenant } = await place();
    const given = { name: mark, device_type: type.id, role: role.id, site: site.id };
    const placed = {
      location: location.id,
      rack: rack.id,
      face: 'front',
      tenant: tenant.id,
      serial: 'S1',
      airflow: 'passive',
      comments: 'kept',
      status: 'planned',
    };
    const kept = {
      name: mark,
      serial: 'S1',
      airflow: { value: 'passive' },
      comments: 'kept',
      status: { value: 'planned' },
    };
    const [one, two] = (await used.admin.make('/api/dcim/devices/', [
      { ...given, ...placed, position: 1 },
      { ...given, ...placed, name: `${mark}2`, position: 5 },
    ])) as unknown as { id: number }[];
    const path = `/api/dcim/devices/${one!.id}/`;
    // A PATCH resets nothing, for one object or several.
    expect((await used.admin.patch(path, { serial: 'S1' })).body).toMatchObject({
      face: { value: 'front' },
      position: 1,
      rack: { id: rack.id },
      tenant: { id: tenant.id },
    });
    expect((await used.admin.put(path, given)).body).toMatchObject({ ...kept, ...gone });
    expect(await used.admin.read(path)).toMatchObject({ ...kept, ...gone });
    expect(
      (await used.admin.put('/api/dcim/devices/', [{ ...given, id: two!.id, name: `${mark}2` }])).body,
    ).toMatchObject([{ ...kept, ...gone, name: `${mark}2` }]);
    // The reference is the one that is sent, also where it is given by attributes.
    expect(
      (
        await used.admin.put(path, {
          ...given,
          rack: { name: mark, site: { slug: mark } },
          location: { slug: mark },
          face: 'rear',
          position: 3,
        })
      ).body,
    ).toMatchObject({ rack: { id: rack.id }, face: { value: 'rear' }, position: 3, tenant: null });
    expect((await used.admin.patch(path, { face: null, position: null })).body).toMatchObject({
      face: null,
      position: null,
      rack: { id: rack.id },
    });
  });

  test('resets what tells objects apart', async () => {
    const { mark, site, location, rack } = await place();
    expect((await used.admin.put(`/api/dcim/racks/${rack.id}/`, { site: site.id, name: mark })).body).toMatchObject({
      facility_id: null,
      location: null,
      airflow: { value: 'front-to-rear' },
    });
    const below = await used.admin.make('/api/dcim/locations/', {
      site: site.id,
      name: 'below',
      slug: 'below',
      parent: location.id,
      facility: 'F',
    });
    expect(
      (await used.admin.put(`/api/dcim/locations/${below.id}/`, { site: site.id, name: 'below', slug: 'below' })).body,
    ).toMatchObject({ parent: null, _depth: 0, facility: 'F' });
    const group = await used.admin.make('/api/ipam/vlan-groups/', {
      name: mark,
      slug: mark,
      scope_type: 'dcim.site',
      scope_id: site.id,
    });
    const vlan = await used.admin.make('/api/ipam/vlans/', { vid: 7, name: mark, group: group.id, status: 'reserved' });
    expect((await used.admin.put(`/api/ipam/vlans/${vlan.id}/`, { vid: 7, name: mark })).body).toMatchObject({
      group: null,
      status: { value: 'reserved' },
    });
    expect((await used.admin.put(`/api/ipam/vlan-groups/${group.id}/`, { name: mark, slug: mark })).body).toMatchObject(
      { scope_type: null, scope_id: null, scope: null },
    );
  });

  test('sets back to the default, which need not be empty', async () => {
    const { mark, site, rack, maker, type, role } = await place();
    expect(
      (await used.admin.put(`/api/dcim/device-types/${type.id}/`, { manufacturer: maker.id, model: mark, slug: mark }))
        .body,
    ).toMatchObject({ u_height: 1 });
    const panel = await used.admin.make('/api/dcim/power-panels/', { site: site.id, name: mark });
    const feed = await used.admin.make('/api/dcim/power-feeds/', {
      power_panel: panel.id,
      name: mark,
      rack: rack.id,
      status: 'failed',
      type: 'redundant',
      supply: 'dc',
      phase: 'three-phase',
      voltage: 48,
    });
    expect(
      (await used.admin.put(`/api/dcim/power-feeds/${feed.id}/`, { power_panel: panel.id, name: mark })).body,
    ).toMatchObject({
      rack: null,
      status: { value: 'active' },
      type: { value: 'primary' },
      supply: { value: 'ac' },
      phase: { value: 'single-phase' },
      voltage: 48,
    });
    const contact = await used.admin.make('/api/tenancy/contacts/', { name: mark });
    const as = await used.admin.make('/api/tenancy/contact-roles/', { name: mark, slug: mark });
    const about = { object_type: 'dcim.site', object_id: site.id, contact: contact.id, role: as.id };
    const assignment = await used.admin.make('/api/tenancy/contact-assignments/', { ...about, priority: 'primary' });
    expect(
      (await used.admin.put(`/api/tenancy/contact-assignments/${assignment.id}/`, { ...about, role: undefined })).body,
    ).toMatchObject({ priority: null, role: { id: as.id } });
    const prefix = await used.admin.make('/api/ipam/prefixes/', {
      prefix: '10.200.0.0/24',
      scope_type: 'dcim.site',
      scope_id: site.id,
      description: 'kept',
    });
    expect(
      (await used.admin.put(`/api/ipam/prefixes/${prefix.id}/`, { prefix: '10.200.0.0/24', scope_id: site.id })).status,
    ).toBe(400);
    expect((await used.admin.put(`/api/ipam/prefixes/${prefix.id}/`, { prefix: '10.200.0.0/24' })).body).toMatchObject({
      scope_type: null,
      scope: null,
      description: 'kept',
    });
    const machine = await used.admin.make('/api/virtualization/virtual-machines/', {
      name: mark,
      site: site.id,
      role: role.id,
      vcpus: 2,
    });
    const alone = await used.admin.put(`/api/virtualization/virtual-machines/${machine.id}/`, { name: mark });
    expect([alone.status, alone.body]).toEqual([400, expect.any(Object)]);
    await used.admin.delete(`/api/ipam/prefixes/${prefix.id}/`);
  });
});
