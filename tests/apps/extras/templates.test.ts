import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body, Client } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { type Bench, openBench } from '../../support/objects/plant.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

// Config and export templates follow relations from the objects that they are rendered for, whatever service the
// related objects are in.

const used = useSystem();
let bench: Bench;
let region: Body;
let device: Body;
let ports: Body[];
let address: Body;
let tenant: Body;
const named = (path: string, more: object = {}): Promise<Body> => {
  const slug = unique('t');
  return used.admin.make(path, { name: slug, slug, ...more });
};
beforeAll(async () => {
  [bench, region, tenant] = [
    await openBench(used.admin),
    await named('/api/dcim/regions/'),
    await named('/api/tenancy/tenants/'),
  ];
  await used.admin.patch(bench.site.url, { region: region.id });
  device = await bench.device({ tenant: tenant.id });
  ports = [];
  for (const name of ['eth10', 'eth2', 'mgmt'])
    ports.push(await bench.part(device, 'interfaces', { name, enabled: name !== 'mgmt' }));
  address = await used.admin.make('/api/ipam/ip-addresses/', {
    address: '192.0.2.17/24',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: ports[1]!.id,
  });
  await used.admin.patch(device.url, { primary_ip4: address.id });
});

/** The configuration that a template renders for the device. */
async function configured(code: string, client: Client = used.admin): Promise<string> {
  const template = await used.admin.make('/api/extras/config-templates/', {
    name: unique('template'),
    template_code: code,
  });
  await used.admin.patch(device.url, { config_template: template.id });
  return eventually(async () => {
    const { status, body } = await client.post(`${device.url}render-config/`, {});
    if (status === 200) expect(body.configtemplate.id).toBe(template.id);
    return status === 200 ? body.content : `${status} ${body.detail}`;
  });
}

describe('a config template', () => {
  test('goes through what belongs to its device, as scripts do', async () => {
    expect(
      await configured(
        '{% for i in device.interfaces.all() %}{{ i.name }} {% endfor %}{{ device.interfaces.count() }} {{ device.interfaces.filter(enabled=True).order_by("-name").first() }} {{ device.interfaces.filter(name="mgmt").exists() }} {{ device.interfaces.exclude(enabled=True).last().get_type_display() }} {{ device.consoleports.exists() }}',
      ),
    ).toBe('eth2 eth10 mgmt 3 eth2 True 1000BASE-T (1GE) False');
  });

  test('follows references, and what other services keep', async () => {
    expect(
      await configured(
        '{{ device.site.region.name }} {{ device.tenant.slug }} {{ device.primary_ip4.address }} {{ device.primary_ip4.address.ip }} {{ device.primary_ip4.assigned_object.device.name }} {{ device.get_status_display() }} {% if device.status == "active" %}on{% endif %} {{ device.tenant.devices.get(name=device.name).id }}',
      ),
    ).toBe(`${region.name} ${tenant.slug} 192.0.2.17/24 192.0.2.17 ${device.name} Active on ${device.id}`);
    await eventually(async () => {
      expect(
        await configured(
          '{% for i in device.interfaces.all() %}{% for a in i.ip_addresses.all() %}{{ i.name }}={{ a.address }} {{ a.vrf }}{% endfor %}{% endfor %}',
        ),
      ).toBe('eth2=192.0.2.17/24 None');
    });
    expect(
      await configured(
        '{{ device.site.devices.filter(tenant__slug=device.tenant.slug) | map(attribute="name") | join }} {{ device.device_type.instances.exists() }} {{ device.device_type.manufacturer.slug == device.device_type.manufacturer.name }}',
      ),
    ).toBe(`${device.name} True True`);
  });

  test('shows what the requester may view, and nothing else', async () => {
    const { client } = await userWith(
      used.admin,
      { types: ['dcim.device'], actions: ['view', 'render_config'] },
      { types: ['dcim.interface'], actions: ['view'], constraints: { name: 'eth10' } },
    );
    expect(
      await configured(
        '{{ device.name }} {{ device.interfaces.all() | map(attribute="name") | join(",") }} {{ device.site.region.name }}|{{ device.site.name }} {{ device.tenant.devices.count() }}|{{ device.primary_ip4.dns_name }}|{{ device.interfaces.first().ip_addresses.count() }}',
        client,
      ),
    ).toBe(`${device.name} eth10 |${bench.site.name} 1||0`);
  });

  test('is told what does not work, and where', async () => {
    expect(await configured('ok\n{{ device.interfaces.aggregate() }}')).toMatch(
      /^400 The config template could not be rendered: lists of related objects have no method 'aggregate' in templates; they have all, .* \(line 2, column \d+\)$/,
    );
    expect(await configured('{{ device.save() }}')).toMatch(
      /^400 .*'save' is not available: templates know the fields of a device, .* \(line 1, column \d+\)$/,
    );
  });
});

describe('an export template', () => {
  test('goes on from each object of its list', async () => {
    const name = unique('export');
    const template_code =
      '{% for d in queryset.order_by("name") %}{{ d.name }}:{{ d.site.region.name }}:{% for i in d.interfaces.filter(enabled=true) %}{{ i }} {% endfor %};{% endfor %}{{ queryset.count() }}{{ queryset | length }}';
    await used.admin.make('/api/extras/export-templates/', { name, object_types: ['dcim.device'], template_code });
    const other = await bench.device({ tenant: tenant.id });
    await bench.part(other, 'interfaces', { name: 'x' });
    const { text } = await eventually(async () => {
      const answer = await used.admin.get(`/api/dcim/devices/?tenant_id=${tenant.id}&export=${name}`);
      expect(answer.status).toBe(200);
      return answer;
    });
    const lines = new Map([
      [device.name, 'eth2 eth10 '],
      [other.name, 'x '],
    ]);
    expect(text).toBe(
      `${[...lines.keys()]
        .sort()
        .map((d) => `${d}:${region.name}:${lines.get(d)};`)
        .join('')}22`,
    );
  });
});
