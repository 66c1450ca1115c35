import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../../support/client.ts';
import { unique } from '../../../support/unique.ts';
import { used, bench } from '../../../support/objects/paths.ts';

describe('a drawing of a path', () => {
  const drawing = (object: Body, query = 'render=svg') => used.admin.get(`${object.url}trace/?${query}`);
  const drawn = async (object: Body): Promise<string> => (await drawing(object)).text;

  test('shows devices, ports and cables with colour, label, length and status, all with links', async () => {
    const [a, b] = [await bench.port({ name: '<xe-0/0/1>' }), await bench.port()];
    const left = await bench.panel(1);
    const first = await bench.cable(a, left.front[0]!, {
      type: 'smf',
      color: 'ffeb3b',
      label: '<L>',
      length: 300,
      length_unit: 'ft',
    });
    const second = await bench.cable(left.rear[0]!, b, { status: 'planned', length: 1, length_unit: 'km' });
    const { status, headers, text } = await drawing(a);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    for (const shown of [
      '&lt;xe-0/0/1&gt;',
      a.device.name,
      left.device.name,
      left.front[0]!.name,
      left.rear[0]!.name,
      b.name,
      '&lt;L&gt;',
      'Single-mode Fiber',
      '300 ft · Connected',
      `#${second.id}`,
      '1 km · Planned',
      'stroke:#ffeb3b',
      'total length 1.091 km (3,581 ft)',
      'not all of its cables are connected',
      'prefers-color-scheme:dark',
    ])
      expect(text).toContain(shown);
    for (const [path, { id }] of [
      ['interfaces', a],
      ['devices', left.device],
      ['front-ports', left.front[0]!],
      ['cables', first],
    ] as const)
      expect(text).toMatch(new RegExp(`href="http[^"]*/dcim/${path}/${id}/"`));
    await used.admin.patch(second.url, { status: 'connected' });
    expect(await drawn(a)).toContain('<g class="complete">');
  });

  test('shows all ends of a cable, and where a path splits', async () => {
    const [a, b, c] = [await bench.port(), await bench.port(), await bench.port()];
    const panel = await bench.panel(10, { trunk: true });
    await bench.cable(a, [b, c]);
    for (const name of [a.name, b.name, c.name, b.device.name, c.device.name])
      expect(await drawn(a)).toContain(`>${name}</text>`);
    const behind = await bench.port();
    await bench.cable(behind, panel.rear[0]!);
    const split = await drawn(behind);
    expect([
      split.includes('<g class="split">'),
      split.match(/class="possible"/g)?.length,
      split.includes('and 2 more'),
    ]).toEqual([true, 8, true]);
  });

  test('is there where nothing is connected, and where power comes from', async () => {
    expect(await drawn(await bench.port())).toContain('Nothing is connected here');
    const device = await bench.device();
    const port = await bench.part(device, 'power-ports');
    const panel = await used.admin.make('/api/dcim/power-panels/', { site: bench.site.id, name: unique('panel') });
    const feed = await used.admin.make('/api/dcim/power-feeds/', { power_panel: panel.id, name: unique('feed') });
    await bench.cable(port, feed);
    for (const end of [port, feed])
      for (const name of [device.name, port.name, panel.name, feed.name])
        expect(await drawn(end)).toContain(`>${name}</text>`);
  });

  test('tells of places only what the requester may view', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    const name = unique('user');
    const password = 'Correct-horse-battery-9';
    await bench.cable(a, b);
    const { id } = await used.admin.make('/api/users/users/', { username: name, password });
    await used.admin.make('/api/users/permissions/', {
      name,
      object_types: ['dcim.interface'],
      actions: ['view'],
      users: [id],
    });
    const token = await used.admin.make('/api/users/tokens/provision/', { username: name, password });
    const { text } = await used.admin.as(`Bearer svc_${token.key}.${token.token}`).get(`${a.url}trace/?render=svg`);
    expect([text.includes(b.name), text.includes(bench.site.name), (await drawn(a)).includes(bench.site.name)]).toEqual(
      [true, false, true],
    );
  });

  test('is the only other form, wherever there is a trace', async () => {
    const { status, body } = await drawing(await bench.port(), 'render=png');
    expect([status, body]).toEqual([400, { render: ['"png" is not a valid choice.'] }]);
    const { paths } = await used.admin.read('/api/schema/?format=json');
    const traces = Object.entries<Body>(paths).filter(([path]) => path.endsWith('/trace/'));
    expect(traces.map(([path]) => path.split('/')[3]).sort()).toEqual([
      'console-ports',
      'console-server-ports',
      'interfaces',
      'power-feeds',
      'power-outlets',
      'power-ports',
    ]);
    for (const [, { get }] of traces) {
      expect(get.parameters).toContainEqual(
        expect.objectContaining({ name: 'render', schema: { type: 'string', enum: ['json', 'svg'], default: 'json' } }),
      );
      expect(Object.keys(get.responses['200'].content)).toEqual(['application/json', 'image/svg+xml']);
    }
  });
});
