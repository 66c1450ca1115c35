import { expect, test } from '@jest/globals';
import type { Models, Shape, Want } from '../jobs/jobs.ts';
import { explore } from './render.ts';

const shape = (label: string, fields: Shape['fields'], back: Shape['back'] = {}): Shape => ({
  label,
  className: label,
  aliases: { cf: 'custom_fields' },
  back,
  fields: { id: {}, name: {}, display: {}, custom_fields: {}, ...fields },
});
const types: Models['types'] = {
  device: shape(
    'device',
    { site: { to: 'site' }, status: {}, tags: { to: 'tag', many: true }, primary_ip4: { to: 'address' }, comments: {} },
    { interfaces: 'interface' },
  ),
  site: shape('site', { region: { to: 'region' }, slug: {} }, { devices: 'device' }),
  region: shape('region', { parent: { to: 'region' } }),
  tag: shape('tag', { slug: {}, color: {} }),
  address: shape('address', { address: {} }),
  interface: shape('interface', {
    enabled: {},
    type: {},
    mtu: {},
    lag: { to: 'interface' },
    owner_type: {},
    owner: { typeField: 'owner_type' },
  }),
};
const choice = (value: string) => ({ value, label: value.toUpperCase() });
const device = {
  id: 1,
  name: 'r1',
  display: 'r1',
  status: choice('active'),
  site: { id: 2, name: 'Berlin', display: 'Berlin' },
  tags: [
    { id: 5, name: 'b', display: 'b', slug: 'b' },
    { id: 6, name: 'a', display: 'a', slug: 'a' },
  ],
  primary_ip4: { id: 9, display: '10.0.0.1/24', address: '10.0.0.1/24' },
  custom_fields: { tier: 'gold' },
};
const port = (id: number, name: string, enabled: boolean, more: object = {}) => ({
  id,
  name,
  display: name,
  enabled,
  type: choice(name.startsWith('x') ? 'xe' : 'ge'),
  mtu: id * 100,
  lag: null,
  ...more,
});
const everything: Pick<Models, 'objects' | 'lists'> = {
  objects: {
    'device 1': device,
    'device 4': { id: 4, name: 'r4', display: 'r4' },
    'site 2': {
      id: 2,
      name: 'Berlin',
      display: 'Berlin',
      slug: 'ber',
      region: { id: 3, name: 'Europe', display: 'Europe' },
    },
    'region 3': { id: 3, name: 'Europe', display: 'Europe', parent: null },
    'tag 6': null,
    'interface 11': port(11, 'xe-2', true),
    'interface 12': port(12, 'xe-1', false, {
      lag: { id: 11, name: 'xe-2', display: 'xe-2' },
      owner_type: 'site',
      owner: { id: 2, name: 'Berlin', display: 'Berlin' },
    }),
    'interface 13': port(13, 'ge-1', true),
  },
  lists: { 'device 1 interfaces': [11, 12, 13], 'site 2 devices': [1, 4] },
};
const run = (
  template: string,
  known: Partial<Models> = everything,
  context: object = { device },
  roots: Models['roots'] = { device: { type: 'device' } },
) =>
  explore({
    kind: 'explore',
    template,
    context: JSON.stringify(context),
    models: JSON.stringify({ roots, types, objects: {}, lists: {}, maxWants: 50, ...known }),
    maxOutput: 100_000,
  });
const printed = (template: string): string => {
  const outcome = run(template);
  if (!('text' in outcome)) throw new Error(`wants ${JSON.stringify(outcome.wants)}`);
  return outcome.text;
};
const wanted = (template: string, known: Partial<Models> = {}): readonly Want[] => {
  const outcome = run(template, known);
  return 'wants' in outcome ? outcome.wants : [];
};

test.each([
  [
    '{{ device }} {{ device.site }} {{ device.status }} {{ device.get_status_display() }} {{ device.status.label }} {{ [device] }}',
    'r1 Berlin active ACTIVE ACTIVE [<device: r1>]',
  ],
  [
    '{{ device.site.region.name }} {{ device.site.slug }} {{ device.site.pk }} {{ device.site_id }} {{ device.cf.tier }} {{ device["site"]["slug"] }}',
    'Europe ber 2 2 gold ber',
  ],
  [
    '{% if device.status == "active" and device.status in ["active", "planned"] and device.status != "x" %}yes{% endif %} {{ {"active": 7}[device.status] }} {{ device.status ~ "!" }} {{ device.status | upper }}',
    'yes 7 active! ACTIVE',
  ],
  [
    '{% for i in device.interfaces.all() %}{{ i.name }},{% endfor %} {{ device.interfaces.count() }} {{ device.interfaces.all() | length }} {{ device.interfaces.exists() }}',
    'xe-2,xe-1,ge-1, 3 3 True',
  ],
  [
    '{{ device.interfaces.filter(enabled=true).order_by("-name") | map(attribute="name") | join(" ") }} {{ device.interfaces.exclude(type="ge").first() }} {{ device.interfaces.last().name }}',
    'xe-2 ge-1 xe-2 ge-1',
  ],
  [
    '{{ device.interfaces.filter(name__startswith="xe", mtu__gt=1100).count() }}{{ device.interfaces.filter(name__in=["xe-1", "ge-1"]).count() }}{{ device.interfaces.filter(lag__isnull=false).count() }}{{ device.interfaces.filter(lag__name="xe-2").count() }}{{ device.interfaces.filter(lag=device.interfaces.get(name="xe-2")).count() }}{{ device.interfaces.filter(lag=11).count() }}',
    '121111',
  ],
  [
    '{{ device.interfaces.values_list("name", flat=true) }} {{ device.interfaces.values_list("id", "type")[0] }} {{ device.interfaces.values("name")[:1] }} {{ device.interfaces.none() }}',
    "['xe-2', 'xe-1', 'ge-1'] (11, 'xe') [{'name': 'xe-2'}] []",
  ],
  [
    '{{ device.tags.all() | map(attribute="slug") | sort | join(",") }} {{ device.tags.filter(slug="b").exists() }} {{ device.tags | length }} {{ "a" in device.tags.values_list("name", flat=true) }}',
    'a,b True 2 True',
  ],
  [
    '{% set first = device.interfaces.first() %}{{ first == device.interfaces.get(id=11) }} {{ device.site.devices.filter(site__name="Berlin") | length }} {{ device.site.devices.all() | map(attribute="name") | join }}',
    'True 1 r1r4',
  ],
  [
    '{{ device.interfaces.get(name="xe-1").owner.slug }} {{ device.interfaces.get(name="ge-1").owner }}|{{ device.interfaces.filter(name="none").first() }}',
    'ber |None',
  ],
  [
    '{{ device.primary_ip4.address.ip }} {{ device.primary_ip4.address.prefixlen }} {{ device.primary_ip4.address.netmask }} {{ device.primary_ip4.address.network }} {{ device.primary_ip4.address.cidr }} {{ device.primary_ip4.address.broadcast }} {{ "2001:db8::1/64".network }}/{{ "2001:db8::1/64".version }}',
    '10.0.0.1 24 255.255.255.0 10.0.0.0 10.0.0.0/24 10.0.0.255 2001:db8::/6',
  ],
  [
    '{% macro up(r) %}{{ r.name }}{% if r.parent %}/{{ up(r.parent) }}{% endif %}{% endmacro %}{{ up(device.site.region) }} {{ device.tags[1].color }}|{{ device.nothing }}|{{ device.comments.nothing }}',
    'Europe ||',
  ],
  [
    '{% for type, list in device.interfaces.all() | groupby("type") %}{{ type }}:{{ list | length }} {% endfor %}{{ device.interfaces.all() | selectattr("type", "eq", "xe") | map(attribute="name") | join("+") }} {{ (device.interfaces.all() | sort(attribute="mtu", reverse=true) | first).mtu }}',
    'ge:1 xe:2 xe-2+xe-1 1300',
  ],
  [
    '{{ device.status | tojson }} {{ device.tags[0].name.upper() }} {{ device.custom_fields.items() | list }} {{ device.get("name") }}',
    '{"label": "ACTIVE", "value": "active"} B [(\'tier\', \'gold\')] r1',
  ],
])('%s', (template, text) => {
  expect(printed(template)).toBe(text);
});

test('what is not there is asked for, all at once and once each', () => {
  expect(
    wanted(
      '{{ device.site.region.name }}{{ device.site.slug }}{% for i in device.interfaces.filter(name="x") %}{% endfor %}{{ device.interfaces.first().name.upper() }}{{ device.tags[0].color }}',
    ),
  ).toEqual([
    ['object', 'site', 2],
    ['list', 'device', 1, 'interfaces'],
    ['object', 'tag', 5],
  ]);
  expect(
    wanted('{{ device.site.region.parent.name }}', { objects: { 'site 2': everything.objects['site 2']! } }),
  ).toEqual([['object', 'region', 3]]);
  expect(
    run(
      '{% for d in queryset %}{{ d.site.region.name.upper() | replace("a", "b") }}{% endfor %}',
      {},
      {
        queryset: [
          { ...device, site: { id: 2 } },
          { ...device, id: 7, site: { id: 8 } },
        ],
      },
      { queryset: { type: 'device', many: true } },
    ),
  ).toEqual({
    wants: [
      ['object', 'site', 2],
      ['object', 'site', 8],
    ],
  });
});

test('nothing is asked for that the data says already, or that nobody knows', () => {
  expect(
    run('{{ device.site.name }}{{ device.status }}{{ device.foo }}{{ device.foo.bar }}{{ device.tags | length }}', {}),
  ).toHaveProperty('text');
});

test('a list that is loaded brings its objects, and types are asked for when they are reached', () => {
  const { lists } = everything;
  expect(wanted('{{ device.interfaces.all() }}', { lists })).toEqual([
    ['object', 'interface', 11],
    ['object', 'interface', 12],
    ['object', 'interface', 13],
  ]);
  expect(wanted('{{ device.site.slug }}', { types: { device: types['device']! } })).toEqual([['type', 'site']]);
});

test.each([
  [
    '{{ device.interfaces.aggregate(x=1) }}',
    /lists of related objects have no method 'aggregate' in templates; they have all, count, .* \(line 1, column \d+\)/,
  ],
  [
    '\n\n{{ device.get_config_context() }}',
    /'get_config_context' is not available: templates know the fields of a device, .* \(line 3, column \d+\)/,
  ],
  ['{{ device.interfaces.filter("xe") }}', /filter\(\) takes conditions by name/],
  ['{{ device.interfaces.get(enabled=true) }}', /get\(\) found 2 objects, not one/],
  ['{{ device.interfaces.get(id=99) }}', /get\(\) found no objects/],
  ['a\n{% if true %}\n{{ device.name.foo() }}{% endif %}', /'foo' cannot be called \(line 3, column \d+\)/],
  ['{% for i in [1] %}\n{{ 1 / 0 }}{% endfor %}', /division by zero \(line 2, column \d+\)/],
  ['{{ device.interfaces.values_list() }}', /values_list\(\) takes the names of attributes/],
])('%s is refused, with the reason and the line', (template, message) => {
  expect(() => run(template)).toThrow(message);
});

test('no template asks for endlessly much', () => {
  expect(() =>
    run('{% for x in range(100) %}{{ device.update(id=x + 100) or "" }}{{ device.interfaces.count() }}{% endfor %}', {
      lists: {},
    }),
  ).not.toThrow();
  const { wants } = run(
    '{% for x in range(100) %}{{ device.update(id=x + 100) or "" }}{{ device.interfaces.count() }}{% endfor %}',
    { lists: {} },
  ) as { wants: Want[] };
  expect(wants).toHaveLength(50);
});

test('only whole numbers are asked for', () => {
  expect(
    wanted(
      '{{ device.update(id="1; drop table") or "" }}{{ device.interfaces.count() }}{{ device.site.update(id=-1) or "" }}{{ device.site.slug }}',
    ),
  ).toEqual([]);
});
