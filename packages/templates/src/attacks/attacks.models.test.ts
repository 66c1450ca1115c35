import { describe, expect, test } from '@jest/globals';
import { renderer, hostile, leaks } from './testing/attacks.ts';

// What belongs to objects of models, in templates that are given some: see `models.ts`.
describe('objects of models', () => {
  const models = JSON.stringify({
    roots: { device: { type: 'device' }, queryset: { type: 'device', many: true } },
    maxWants: 1000,
    types: {
      device: {
        label: 'device',
        className: 'Device',
        aliases: { cf: 'custom_fields' },
        fields: { id: {}, name: {}, site: { to: 'site' }, owner: { typeField: 'owner_type' } },
        back: { interfaces: 'interface', __proto__: 'device', constructor: 'device' },
      },
      site: null,
    },
    objects: { 'interface 1': { id: 1, name: 'a', display: 'a' }, 'interface 2': { id: 2, name: 'b', display: 'b' } },
    lists: { 'device 1 interfaces': [1, 2] },
  });
  const device = `{"id": 1, "name": "r1", "display": "r1", "status": {"value": "active", "label": "Active"}, "site": {"id": 7, "display": ${JSON.stringify('x'.repeat(64))}}, "owner_type": "constructor", "owner": {"id": 1}, "custom_fields": ${hostile}, "evil": ${hostile}}`;
  const explored = async (template: string): Promise<string> => {
    try {
      const outcome = await renderer.explore(template, `{"device": ${device}, "queryset": [${device}]}`, models);
      return 'text' in outcome ? outcome.text : `wants ${JSON.stringify(outcome.wants)}`;
    } catch (error) {
      return `refused: ${(error as Error).message}`;
    }
  };

  test.each([
    '{{ device.constructor }}{{ device["con" ~ "structor"] }}{{ device.__proto__ }}{{ device.interfaces.constructor("return 1")() }}{{ device.interfaces.__proto__ }}{{ device.status.constructor }}',
    '{{ device.interfaces.all.constructor("return process")() }}{{ device.interfaces.filter.call }}{{ device.interfaces.all }}',
    '{{ device.get_name_display.constructor("return 1")() }}{{ device.get_constructor_display() }}{{ device.get___proto___display() }}',
    '{{ device.interfaces.filter(constructor="x") }}',
    '{{ device.interfaces.filter(__proto__="x") }}',
    '{{ device.interfaces.filter(name__constructor="x") }}',
    '{{ device.interfaces.filter(__class__="x").count() }}',
    '{{ device.interfaces.values("constructor", "__proto__") }}',
    '{{ device.interfaces.values_list("constructor.name", "__proto__") }}',
    '{{ device.interfaces.order_by("constructor", "-__proto__") }}',
    '{{ device.interfaces.get(constructor=none) }}',
    '{{ device.site.region.constructor }}{{ device.site.constructor("return 1")() }}{{ device.owner.constructor }}{{ device.owner.slug }}{{ device.constructor_id }}{{ device.__proto___id }}',
    '{{ device.site.region.name.anything().at["all"](1).constructor("return process")() }}',
    '{{ device.evil.value }}{{ device.evil.constructor }}{{ device.cf.constructor }}{{ device.cf.toString() }}{{ device.custom_fields.__proto__ }}',
    '{% set device.x = 1 %}',
    '{% set ns = namespace(d=device) %}{{ ns.d.interfaces.all()[0].constructor }}',
    '{{ device.update(status=range) or "" }}{{ device.status }}{{ device.status.constructor }}',
    '{{ device.update(site={"id": 1, "constructor": 1}) or "" }}{{ device.site }}',
    '{{ device.interfaces.append(range) or "" }}{{ device.interfaces.all() }}{{ queryset.append(queryset) or "" }}{{ queryset.all() }}',
    '{{ device.interfaces.filter(name=range).count() }}{{ device.interfaces.filter(range) }}',
    '{{ device.update(id={"a": 1}) or "" }}{{ device.interfaces.all() }}',
    '{{ device | attr("constructor") }}{{ [device] | map(attribute="interfaces.constructor") | join }}{{ queryset | groupby("constructor") }}{{ device.interfaces.missing("x") }}{{ device.interfaces.method("all") }}{{ device.behaviourOf }}{{ device.word }}',
    '{{ "10.0.0.1/24".constructor }}{{ "10.0.0.1/24"["ip"].constructor }}{{ "10.0.0.1/24".hostmask.constructor("return 1")() }}',
  ])('%s', async (template) => {
    expect((await explored(template)).replaceAll('Object', '')).not.toMatch(leaks);
  });

  test.each([
    [
      'lists that grow by being asked for',
      '{% for a in range(100000) %}{% for b in range(100000) %}{% set x = device.interfaces.all().order_by("name") %}{% endfor %}{% endfor %}',
    ],
    [
      'conditions for ever',
      '{% for a in range(100000) %}{% for b in range(1000) %}{% if queryset.filter(name__icontains="r", name__in=range(1000)).exists() %}{% endif %}{% endfor %}{% endfor %}',
    ],
    [
      'lists in themselves',
      '{{ queryset.append(queryset) or "" }}{{ queryset.extend(queryset) or "" }}{% for a in range(40) %}{{ queryset.extend(queryset) or "" }}{% endfor %}{{ queryset.distinct() | length }}',
    ],
    ['objects in themselves', '{{ device.update(x=device, y=device, name=device) or "" }}{{ device | tojson }}'],
  ])('%s', async (_, template) => {
    expect(await explored(template)).toMatch(/^refused: /);
  });

  test('what is asked for is bounded, and nothing but types, numbers and names that are known', async () => {
    const wants = await explored(
      '{% for a in range(5000) %}{{ device.update(id=a + 5) or "" }}{{ device.interfaces.count() }}{% endfor %}{{ device.update(id="1 or 1=1") or "" }}{{ device.interfaces.count() }}',
    );
    expect((JSON.parse(wants.slice(6)) as unknown[]).length).toBe(1000);
    expect(wants).not.toContain('1=1');
  });
});
