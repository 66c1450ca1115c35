import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { newEventId, parseEvent } from '@cadastre/events';
import { applyEvents } from '@cadastre/rest';
import { createTestDatabase } from '../../tools/testing/servers/postgres.ts';
import { opened, statements, newEngine, ask, costOf, sites } from '../support/statements.ts';

describe('reading', () => {
  test('a page costs nothing when all is known, and one statement each for its rows and their number when that is not', async () => {
    // A page that is invalidated while it is read is not cached, and the first poll brings all invalidations.
    for (const search of ['', '', '?limit=300', '?limit=300']) await ask('GET', `/api/dcim/sites/${search}`);
    for (const [search, first] of [
      ['', 0],
      ['?limit=300', 0],
      ['?limit=10&offset=100', 1],
      ['?status=active', 2],
      ['?start=1', 1],
      ['?brief=true', 1],
    ] as const) {
      expect([search, (await costOf('GET', `/api/dcim/sites/${search}`)).length]).toEqual([search, first]);
      expect(await costOf('GET', `/api/dcim/sites/${search}`)).toEqual([]);
    }
  });

  test('a page on which nothing has changed, though something of its type has, costs one', async () => {
    const path = '/api/dcim/sites/?limit=5&fields=name';
    await ask('GET', path);
    await ask('POST', '/api/dcim/sites/', sites(1));
    // The rows, and their count.
    expect(await costOf('GET', path)).toHaveLength(2);
    expect(await costOf('GET', path)).toEqual([]);
    await ask('GET', '/api/dcim/sites/?limit=300');
  });

  test('a filter by a related object costs one more, once', async () => {
    expect(await costOf('GET', '/api/dcim/sites/?region=r1')).toHaveLength(3);
    expect(await costOf('GET', '/api/dcim/sites/?region=r1')).toEqual([]);
    expect(await costOf('GET', '/api/dcim/sites/?region=r1&tag=core')).toHaveLength(3);
    expect(await costOf('GET', '/api/dcim/sites/?region=r1&tag=core')).toEqual([]);
  });

  test('one object costs one statement, and nothing when it is known', async () => {
    for (const path of ['/api/dcim/sites/1/', '/api/dcim/sites/2/?brief=true']) {
      expect(await costOf('GET', path)).toHaveLength(1);
      await ask('GET', path);
      expect(await costOf('GET', path)).toEqual([]);
    }
  });

  test('a process that knows nothing asks once for each related type, whatever the length of the page', async () => {
    for (const limit of [1, 50, 300]) {
      const cold = await newEngine();
      await cold.invalidations.wait();
      const cost = await costOf('GET', `/api/dcim/sites/?limit=${limit}&ordering=id`, undefined, cold);
      // The page, its count, custom fields; regions, their counts of sites, tenants, tags; all counts of objects at a
      // a site.
      expect(cost).toHaveLength(8);
      expect(new Set(cost).size).toBe(8);
    }
  });

  test('a transaction that runs for long, in another database of the server, makes nothing forgotten that is known', async () => {
    const elsewhere = await createTestDatabase();
    const other = new pg.Client({ connectionString: elsewhere.url });
    try {
      await other.connect();
      await other.query('begin; select pg_current_xact_id()');
      await ask('PATCH', '/api/dcim/regions/1/', { description: 'known by heart' });
      for (let i = 0; i < 2; i++) await ask('GET', '/api/dcim/sites/?limit=20');
      expect(await costOf('GET', '/api/dcim/sites/?limit=20')).toEqual([]);
      await other.query('commit');
    } finally {
      await other.end();
      await elsewhere.drop();
    }
  });

  test('requests at the same time share looks', async () => {
    statements.reset();
    await Promise.all(Array.from({ length: 50 }, () => ask('GET', '/api/dcim/sites/?limit=5')));
    expect(statements.texts.filter((text) => text.includes('pg_snapshot_xmin')).length).toBe(1);
  });

  test('a page of regions, whose counts include those of the regions below', async () => {
    await ask('GET', '/api/dcim/regions/');
    expect(await costOf('GET', '/api/dcim/regions/')).toEqual([]);
  });
});

describe('writing', () => {
  test('what is new has nothing that points at it, so only what it points at is counted, by one statement', async () => {
    const counts = (texts: string[]) => texts.filter((text) => /^select .*count\(\*\) from .* group by/s.test(text));
    for (const many of [1, 30])
      expect(counts(await costOf('POST', '/api/dcim/sites/', sites(many)))).toEqual([
        expect.stringMatching(/join "dcim_region".* join "dcim_site"/),
      ]);
    const made = await ask('POST', '/api/dcim/sites/', sites(1)[0]);
    const { id, region } = JSON.parse(made.body) as { id: number; region: { id: number; site_count: number } };
    expect(JSON.parse(made.body)).toMatchObject({ rack_count: 0, device_count: 0, prefix_count: 0 });
    // Objects that existed before are counted, and counted correctly.
    const before = (
      JSON.parse((await ask('GET', `/api/dcim/sites/?region_id=${region.id}&limit=1`)).body) as { count: number }
    ).count;
    const { body } = await ask('GET', `/api/dcim/sites/${id}/`);
    expect((JSON.parse(body) as { region: { site_count: number } }).region.site_count).toBe(before);
    expect(region.site_count).toBe(before);
  });

  test('single ones that are asked for at the same time are one transaction', async () => {
    await ask('GET', '/api/dcim/sites/?limit=300&ordering=-id');
    const framed = () => statements.texts.filter((text) => /^\s*(begin|commit|rollback)/i.test(text));
    statements.reset();
    const answers = await Promise.all(sites(20).map((body) => ask('POST', '/api/dcim/sites/', body)));
    expect(framed()).toEqual(['begin', 'commit']);
    expect(new Set(answers.map(({ body }) => (JSON.parse(body) as { id: number }).id)).size).toBe(20);
    // When one of a group is refused, each is written separately.
    const [taken, ...free] = sites(20);
    await ask('POST', '/api/dcim/sites/', taken);
    const asked = [taken, ...free].map((body) => ask('POST', '/api/dcim/sites/', body));
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
      'rejected',
      ...free.map(() => 'fulfilled'),
    ]);
  });

  test('a process that knows nothing asks for the custom fields once', async () => {
    const of = async (method: string, path: string, body?: unknown) =>
      (await costOf(method, path, body, await newEngine())).filter((text) => text.startsWith('select f.object_types'));
    expect(await of('POST', '/api/dcim/sites/', sites(1))).toHaveLength(1);
    expect(await of('PATCH', '/api/dcim/sites/1/', { description: 'known' })).toHaveLength(1);
  });

  test('the number of statements does not depend on the number of objects', async () => {
    const cost = new Map<string, number[]>();
    const warm = () => ask('GET', '/api/dcim/sites/?limit=300&ordering=-id');
    const note = (what: string, texts: string[]) => cost.set(what, [...(cost.get(what) ?? []), texts.length]);
    for (const n of [1, 10, 100]) {
      const bodies = sites(n);
      await warm();
      note('create', await costOf('POST', '/api/dcim/sites/', bodies));
      const ids = (
        JSON.parse(
          (await ask('GET', `/api/dcim/sites/?limit=100&fields=id&${bodies.map((s) => `slug=${s.slug}`).join('&')}`))
            .body,
        ) as { results: { id: number }[] }
      ).results;
      expect(ids).toHaveLength(n);
      await warm();
      note(
        'change',
        await costOf(
          'PATCH',
          '/api/dcim/sites/',
          ids.map(({ id }) => ({ id, description: 'changed', region: { slug: 'r2' } })),
        ),
      );
      await warm();
      note(
        'replace',
        await costOf(
          'PUT',
          '/api/dcim/sites/',
          ids.map(({ id }, i) => ({ ...bodies[i], id })),
        ),
      );
      await warm();
      note('delete', await costOf('DELETE', '/api/dcim/sites/', ids));
    }
    for (const [what, counts] of cost) {
      expect([what, counts]).toEqual([what, counts.map(() => counts[0])]);
      expect([what, counts[0]! <= 24 ? 'few' : counts]).toEqual([what, 'few']);
    }
  });
});

describe('deleting', () => {
  const listed = async (path: string): Promise<number[]> =>
    (JSON.parse((await ask('GET', path)).body) as { results: { id: number }[] }).results.map(({ id }) => id);
  const same = (costs: string[][]): void => {
    for (const cost of costs) expect(cost).toEqual(costs[0]);
  };

  test('a tree costs the same however many branches it has, with what loses its place in it', async () => {
    const costs: string[][] = [];
    for (const n of [2, 10, 100]) {
      const name = `tree-${n}`;
      await ask('POST', '/api/dcim/regions/', { name, slug: name });
      const [root] = await listed(`/api/dcim/regions/?slug=${name}`);
      await ask(
        'POST',
        '/api/dcim/regions/',
        Array.from({ length: n }, (_, i) => ({ name: `${name}-${i}`, slug: `${name}-${i}`, parent: root })),
      );
      const below = await listed(`/api/dcim/regions/?parent_id=${root}&limit=1000`);
      await ask(
        'POST',
        '/api/dcim/sites/',
        below.map((region) => ({ ...sites(1)[0], region })),
      );
      await listed('/api/dcim/sites/?limit=1000');
      costs.push(await costOf('DELETE', `/api/dcim/regions/${root}/`));
      expect(await listed(`/api/dcim/regions/?slug__isw=${name}`)).toEqual([]);
    }
    same(costs);
  });

  test('what others depend on is refused at the same cost however many they are', async () => {
    const costs: string[][] = [];
    for (const n of [2, 10, 100]) {
      await ask('POST', '/api/dcim/sites/', sites(1));
      const [site] = await listed('/api/dcim/sites/?limit=1&ordering=-id');
      await ask(
        'POST',
        '/api/dcim/racks/',
        Array.from({ length: n }, (_, i) => ({ name: `k${i}`, site })),
      );
      statements.reset();
      await expect(ask('DELETE', `/api/dcim/sites/${site}/`)).rejects.toThrow(`${n} dependent objects were found: `);
      costs.push(
        statements.texts.filter(
          (text) => !text.startsWith('select pg_snapshot_xmin') && !text.startsWith('select pg_notify'),
        ),
      );
    }
    same(costs);
  });

  test('what another service has deleted is followed at the same cost, however many objects it was and however many refer to them', async () => {
    const costs: string[][] = [];
    for (const n of [2, 10, 100]) {
      const first = n * 1000;
      const ids = Array.from({ length: n }, (_, i) => first + i);
      await opened.pool.query(
        `insert into replica.ipam_asn (id, _version, asn) select id, 1, id from unnest($1::bigint[]) as id`,
        [ids],
      );
      await opened.pool.query(
        `insert into dcim_site (name, slug, status, asns) select 'f' || id, 'f' || id, 'active', array[id, id + 1] from unnest($1::bigint[]) as id`,
        [ids],
      );
      const events = ids.map((objectId) =>
        parseEvent(
          JSON.stringify({
            id: newEventId(),
            time: '2026-01-01T00:00:00.000000Z',
            request: {
              id: '00000000-0000-4000-8000-000000000000',
              method: 'DELETE',
              path: '/',
              user: 'admin',
              userId: 1,
            },
            action: 'deleted',
            objectType: 'ipam.asn',
            objectId,
            version: 2,
            display: 'x',
            message: '',
            data: {},
            prechange: null,
            postchange: null,
            row: null,
            related: null,
          }),
        ),
      );
      const cold = await newEngine();
      statements.reset();
      await applyEvents(cold, events);
      costs.push(statements.texts.filter((text) => !text.startsWith('select pg_notify')));
      expect(
        (await opened.pool.query(`select count(*)::int as n from dcim_site where asns && $1::bigint[]`, [ids])).rows,
      ).toEqual([{ n: 0 }]);
    }
    same(costs);
  });
});

describe('equipment', () => {
  const made = async (path: string, body: object): Promise<number> =>
    (JSON.parse((await ask('POST', `/api/dcim/${path}/`, body)).body) as { id: number }).id;

  test('devices with all their components, and interfaces, cost the same however many', async () => {
    const manufacturer = await made('manufacturers', { name: 'Maker', slug: 'maker' });
    const role = await made('device-roles', { name: 'Role', slug: 'role' });
    const device_type = await made('device-types', { manufacturer, model: 'Box', slug: 'box', u_height: 0 });
    const module_type = await made('module-types', { manufacturer, model: 'Card' });
    for (const owner of [{ device_type }, { module_type }]) {
      const port = await made('power-port-templates', { ...owner, name: 'P{module}' });
      await made('power-outlet-templates', { ...owner, name: 'O{module}', power_port: port });
      for (const path of ['console-port-templates', 'console-server-port-templates'])
        await made(path, { ...owner, name: 'C{module}' });
      for (const name of ['eth{module}0', 'eth{module}1'])
        await made('interface-templates', { ...owner, name, type: 'virtual' });
      const rear = await made('rear-port-templates', { ...owner, name: 'R{module}', type: 'lc' });
      await made('front-port-templates', {
        ...owner,
        name: 'F{module}',
        type: 'lc',
        rear_ports: [{ position: 1, rear_port: rear, rear_port_position: 1 }],
      });
      await made('module-bay-templates', { ...owner, name: 'B{module}', position: '7' });
    }
    await made('inventory-item-templates', { device_type, name: 'Item' });
    // Objects that the same request created are counted.
    expect(
      JSON.parse((await ask('POST', '/api/dcim/devices/', { name: 'counted', site: 1, role, device_type })).body),
    ).toMatchObject({
      interface_count: 2,
      console_port_count: 1,
      front_port_count: 1,
      module_bay_count: 1,
      inventory_item_count: 1,
      device_bay_count: 0,
    });
    const cost = new Map<string, number[]>();
    const note = (what: string, texts: string[]) => cost.set(what, [...(cost.get(what) ?? []), texts.length]);
    for (const n of [1, 5, 20]) {
      const name = (i: number) => `d${n}-${i}`;
      const each = <T>(make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
      const cold = await newEngine();
      note(
        'devices',
        await costOf(
          'POST',
          '/api/dcim/devices/',
          each((i) => ({ name: name(i), site: 1 + i, role, device_type })),
          cold,
        ),
      );
      const { results } = JSON.parse((await ask('GET', `/api/dcim/module-bays/?limit=${n}&ordering=-id`)).body) as {
        results: { id: number; device: { id: number } }[];
      };
      note(
        'interfaces',
        await costOf(
          'POST',
          '/api/dcim/interfaces/',
          each((i) => ({ device: results[i]!.device.id, name: 'x', type: '1000base-t', tagged_vlans: [] })),
          await newEngine(),
        ),
      );
      note(
        'modules',
        await costOf(
          'POST',
          '/api/dcim/modules/',
          results.map(({ id, device }) => ({ device: device.id, module_bay: id, module_type })),
          await newEngine(),
        ),
      );
      note(
        'removal',
        await costOf(
          'DELETE',
          '/api/dcim/devices/',
          results.map(({ device }) => ({ id: device.id })),
          await newEngine(),
        ),
      );
    }
    for (const [what, counts] of cost) expect([what, counts]).toEqual([what, counts.map(() => counts[0])]);
    expect(cost.get('interfaces')![0]).toBe(12);
  });
});
