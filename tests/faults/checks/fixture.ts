import type { ChangeEvent } from '@cadastre/events';
import { type Catalogue, columnName, columnsOf, loadCatalogue, members } from '@cadastre/model';
import type { Body, Write } from '../load/history.ts';
import { servicesFolder } from '../system/system.ts';
import { countsOf, type Shown } from './counts.ts';
import { type Row, type Rows, rowsOf, type World } from './world.ts';

/** A small consistent world, which tests damage. */
export interface Little {
  world: World;
  writes: Write[];
  shown: Shown;
}

const RULE = 7;
const REQUEST = 'request';
let catalogue: Catalogue | undefined;

/**
 * A tenant, two regions, a site with a tag and an AS number, a prefix there and three addresses; a second site was made
 * and deleted, a third refused.
 */
export async function littleWorld(): Promise<Little> {
  catalogue ??= await loadCatalogue(servicesFolder);
  const maker = new Maker(catalogue);
  maker.create('extras.tag', 1, { name: 'red', slug: 'red' });
  maker.create('tenancy.tenant', 1, { name: 'acme', slug: 'acme', tags: [1] });
  maker.create('ipam.asn', 1, { asn: 64512 });
  maker.create('dcim.region', 1, { name: 'north', slug: 'north' }, { _path: [1], _sort: ['north'] });
  maker.create(
    'dcim.region',
    2,
    { name: 'fjord', slug: 'fjord', parent: 1 },
    { _path: [1, 2], _sort: ['north', 'fjord'] },
  );
  maker.create('dcim.site', 1, { name: 'one', slug: 'one', region: 2, tags: [1], asns: [1] });
  maker.update('dcim.site', 1, { tenant: 1, description: 'changed' });
  maker.create('ipam.prefix', 1, { prefix: '10.0.0.0/24', tenant: 1, scope_type: 'dcim.site', scope_id: 1 });
  maker.create('ipam.ipaddress', 1, { address: '10.0.0.1/24', tenant: 1 });
  maker.create('ipam.ipaddress', 2, { address: '10.0.0.2/24', nat_inside: 1 });
  maker.create('ipam.ipaddress', 3, { address: '10.0.0.3/24' });
  maker.create('dcim.site', 2, { name: 'two', slug: 'two' });
  maker.remove('dcim.site', 2);
  maker.refused('dcim.site', { name: 'three', slug: 'one' });
  maker.lost('dcim.site', [
    { name: 'four', slug: 'four' },
    { name: 'five', slug: 'five' },
  ]);
  return maker.finish();
}

class Maker {
  readonly #world: World;
  readonly #writes: Write[] = [];
  constructor(known: Catalogue) {
    const everywhere = known.services();
    this.#world = {
      catalogue: known,
      rows: new Map([...known.models.keys()].map((type) => [type, new Map() as Rows])),
      replicas: new Map(),
      kept: new Map(),
      events: new Map(everywhere.map((service) => [service, []])),
      unpublished: 0,
      parked: [],
      marks: [],
      received: [],
      rule: { id: RULE, types: ['tenancy.tenant', 'dcim.site', 'dcim.region', 'ipam.prefix'] },
    };
  }

  create(type: string, id: number, body: Body, more: Record<string, unknown> = {}): void {
    const row: Row = { ...this.#empty(type), ...this.#columns(type, body), ...more, id, _version: 1 };
    rowsOf(this.#world, type).set(id, row);
    this.#tell('created', type, row, null, this.#write('created', type, [body], [id], 'done'));
  }

  update(type: string, id: number, body: Body): void {
    const before = rowsOf(this.#world, type).get(id)!;
    const row: Row = { ...before, ...this.#columns(type, body), id, _version: before._version + 1 };
    rowsOf(this.#world, type).set(id, row);
    this.#tell('updated', type, row, before, this.#write('updated', type, [body], [id], 'done'));
  }

  remove(type: string, id: number): void {
    const before = rowsOf(this.#world, type).get(id)!;
    rowsOf(this.#world, type).delete(id);
    this.#tell(
      'deleted',
      type,
      { ...before, _version: before._version + 1 },
      before,
      this.#write('deleted', type, [{}], [id], 'done'),
    );
  }

  refused(type: string, body: Body): void {
    this.#write('created', type, [body], [], 'refused');
  }
  lost(type: string, bodies: Body[]): void {
    this.#write('created', type, bodies, [], 'unknown');
  }

  /** The rows and events, and everything that is derived from them, in all places where it must be. */
  finish(): Little {
    const world = this.#world;
    const all = [...world.events.values()].flat();
    for (const service of world.catalogue.services()) {
      world.replicas.set(
        service,
        new Map(
          [...world.catalogue.replicas(service)].map(([type, columns]) => [
            type,
            new Map([...rowsOf(world, type)].map(([id, row]) => [id, { ...pick(row, columns) } as Row])),
          ]),
        ),
      );
      if (world.catalogue.keepsAnyObject(service)) {
        world.kept.set(
          service,
          [...Map.groupBy(all, (e) => `${e.objectType}:${e.objectId}`).values()]
            .map((events) => events.at(-1)!)
            .filter((e) => e.action !== 'deleted')
            .map((e) => ({
              type: e.objectType,
              id: e.objectId,
              version: e.version,
              display: e.display,
              tags: (e.row?.['tags'] ?? []) as number[],
              brief: pick(e.data!, members(world.catalogue.get(e.objectType), 'brief')),
            })),
        );
      }
    }
    let next = 0;
    const put = (type: string, row: Record<string, unknown>) => {
      rowsOf(world, type).set(++next, { ...row, id: next, _version: 1 });
    };
    for (const e of all) {
      put('core.objectchange', {
        event_id: e.id,
        action: e.action.replace(/d$/, ''),
        changed_object_type: e.objectType,
        changed_object_id: e.objectId,
        message: e.message,
        user_name: 'admin',
        request_id: e.request!.id,
        prechange_data: e.prechange,
        postchange_data: e.action === 'deleted' ? null : e.postchange,
      });
      if (world.rule.types.includes(e.objectType))
        put('extras.webhookdelivery', {
          event_id: e.id,
          rule_id: RULE,
          object_type: e.objectType,
          object_id: e.objectId,
          request_id: e.request!.id,
          status: 'succeeded',
          error: null,
        });
    }
    for (const [type, id] of [
      ['tenancy.tenant', 1],
      ['dcim.site', 1],
    ] as const)
      put('extras.taggeditem', { object_type: type, object_id: id, tag_id: 1 });
    world.received = all
      .filter((e) => world.rule.types.includes(e.objectType))
      .map((e) => ({
        event: e.action,
        object_type: e.objectType,
        request: { id: e.request!.id },
        data: { id: e.objectId },
      }));
    return { world, writes: this.#writes, shown: shownOf(world) };
  }

  #write(action: Write['action'], type: string, bodies: Body[], ids: number[], outcome: Write['outcome']): Write {
    const n = this.#writes.length + 1;
    const write: Write = { n, client: 1, action, type, token: `write ${n}`, bodies, ids, outcome, said: '' };
    this.#writes.push(write);
    return write;
  }

  #tell(action: ChangeEvent['action'], type: string, row: Row, before: Row | null, { n, token }: Write): void {
    const service = this.#world.catalogue.serviceOf(type)!;
    const display = String(row['name'] ?? row.id);
    const snapshot = (of: Row) =>
      pick(
        of,
        Object.keys(of).filter((name) => !name.startsWith('_')),
      );
    const event = {
      id: `event ${n}`,
      time: '2026-01-01T00:00:00.000000Z',
      request: { id: `${REQUEST} ${n}`, method: 'POST', path: '/', user: 'admin', userId: 1 },
      action,
      objectType: type,
      objectId: row.id,
      version: row._version,
      display,
      message: token,
      data: { id: row.id, display, name: display },
      prechange: before && snapshot(before),
      postchange: action === 'deleted' ? null : snapshot(row),
      row: action === 'deleted' ? null : { ...row },
      related: null,
    };
    this.#world.events.get(service)!.push(event as unknown as ChangeEvent);
  }

  #empty(type: string): Record<string, unknown> {
    return Object.fromEntries(
      columnsOf(this.#world.catalogue.get(type)).map(({ name, type: column }) => [
        name,
        column.endsWith('[]') ? [] : null,
      ]),
    );
  }

  #columns(type: string, body: Body): Record<string, unknown> {
    const { fields } = this.#world.catalogue.get(type);
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [columnName(name, fields[name]!), value]));
  }
}

const pick = (from: Record<string, unknown>, names: Iterable<string>): Record<string, unknown> =>
  Object.fromEntries([...names].filter((name) => name in from).map((name) => [name, from[name]]));

/** What the API would show of sites, regions and tenants. */
function shownOf(world: World): Shown {
  const right: Record<string, Record<number, Record<string, number>>> = {
    'tenancy.tenant': { 1: { site_count: 1, prefix_count: 1, ipaddress_count: 1 } },
    'dcim.region': { 1: { site_count: 1 }, 2: { site_count: 1, prefix_count: 1 } },
    'dcim.site': { 1: { prefix_count: 1 } },
    'ipam.asn': { 1: { site_count: 1 } },
  };
  return new Map(
    Object.entries(right).map(([type, objects]) => [
      type,
      new Map(
        Object.entries(objects).map(([id, counts]) => [
          Number(id),
          {
            ...Object.fromEntries(countsOf(world.catalogue, world.catalogue.get(type)).map((name) => [name, 0])),
            ...counts,
          },
        ]),
      ),
    ]),
  );
}
