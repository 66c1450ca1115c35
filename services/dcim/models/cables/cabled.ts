import {
  batched,
  boolean,
  choice,
  computed,
  type Field,
  type Filter,
  helped,
  integer,
  linked,
  list,
  method,
  ref,
  type Rule,
} from '@cadastre/model';
import { position } from '../cabling/fields.ts';
import { PATH_ENDPOINTS } from '../cabling/plant.ts';
import { PARTNERS } from '../cabling/terminable.ts';
import { cableEnd } from '../choices/cable.ts';

const ENDS = 'dcim.cabletermination';
const PATHS = 'dcim.cablepath';
type TableOf = (type: string) => string;

/** The ends at the other side of the cable. */
const peers = (type: string, tableOf: TableOf): string =>
  `select t.id, e.termination_type, e.termination_id from ${tableOf(type)} t join ${tableOf(ENDS)} e on e.cable_id = t.cable_id and e.cable_end <> t.cable_end
   where t.id = any($1::bigint[]) order by t.id, e.connector, e.id`;

const typeOf = ([row]: (string | null)[][]): string => JSON.stringify(row?.[0] ?? null);

/**
 * The fields of objects at which a cable can end. All but `mark_connected` are derived from the ends of cables:
 * `attach` in `cabling/effects/terminationEffects.ts` keeps the columns up to date.
 */
export const cabled = (type: string): Record<string, Field> => ({
  mark_connected: helped('Treat as if a cable is connected', boolean()),
  cable: {
    ...ref('dcim.cable', { optional: true, readOnly: true, onDelete: 'setNull' }),
    inNested: {
      ...ref('dcim.cable', { optional: true, readOnly: true, form: 'id' }),
      metadata: () => ({ type: 'field', required: false, read_only: false }),
    },
  },
  cable_end: choice(cableEnd, { optional: true, readOnly: true, nullable: true, plain: true, max: 1, one: true }),
  cable_connector: integer({ optional: true, readOnly: true, hidden: true, size: 'smallint' }),
  cable_positions: list({
    element: 'smallint',
    item: position,
    print: (item) => item,
    optional: true,
    nullable: true,
    readOnly: true,
    hidden: true,
  }),
  link_peers: linked({ from: [ENDS], to: PARTNERS[type]!, sql: ({ tableOf }) => peers(type, tableOf) }),
  link_peers_type: batched({
    from: [ENDS],
    sql: ({ tableOf }) => peers(type, tableOf),
    print: typeOf,
    schema: { type: ['string', 'null'] },
  }),
  _occupied: computed(
    ['cable_id', 'mark_connected'],
    ([cable, marked]) => String(cable !== null || marked === 't' || marked === 'true'),
    { schema: { type: 'boolean' } },
  ),
});

/** Filters of what a cable can end at, besides those of its fields. */
export const cabledFilters = (): Record<string, Filter> => ({
  cabled: method('boolean', ({ table }, [value]) => `(${table}.cable_id is not null) is ${value}`),
  occupied: method(
    'boolean',
    ({ table }, [value]) => `(${table}.cable_id is not null or ${table}.mark_connected) is ${value}`,
  ),
});

/** An object with a cable cannot be marked as connected. */
export const notMarkedWhenCabled: Rule = ({ mark_connected, cable }) =>
  mark_connected && cable ? { mark_connected: ['Cannot mark as connected with a cable attached.'] } : undefined;

/** Paths from objects of a type: the object, and what is chosen of its path. */
const paths = (type: string, tableOf: TableOf, columns: string, more = ''): string =>
  `select o.id, ${columns} from ${tableOf(PATHS)} p cross join unnest(p.origin_ids) o(id) ${more} where p.origin_type = '${type}' and p.origin_ids && $1::bigint[] and o.id = any($1::bigint[])`;

/**
 * Connections without cables: SQL that gives an object's id, and the type, id and position of what is at the other end.
 */
export interface Beside {
  from: readonly string[];
  to: readonly string[];
  sql(tableOf: TableOf): string;
}

/** The fields of objects at which paths begin and end. */
export const endpoint = (type: string, beside?: Beside): Record<string, Field> => {
  const from = [PATHS, ...(beside?.from ?? [])];
  const sql = (tableOf: TableOf) => {
    const cabling = paths(
      type,
      tableOf,
      'p.destination_type, d.id, d.n',
      'cross join unnest(p.destination_ids) with ordinality d(id, n)',
    );
    return `select e.id, e.type, e.far from (${cabling}${beside ? ` union all ${beside.sql(tableOf)}` : ''}) e(id, type, far, n) order by e.id, e.n`;
  };
  return {
    connected_endpoints: linked({
      from,
      to: [...PATH_ENDPOINTS, 'circuits.providernetwork', ...(beside?.to ?? [])],
      empty: 'null',
      sql: ({ tableOf }) => sql(tableOf),
    }),
    connected_endpoints_type: batched({
      from,
      sql: ({ tableOf }) => sql(tableOf),
      print: typeOf,
      schema: { type: ['string', 'null'] },
    }),
    connected_endpoints_reachable: batched({
      from: [PATHS],
      sql: ({ tableOf }) => paths(type, tableOf, 'p.is_complete and p.is_active'),
      print: ([row]) => String(row?.[0] === 't'),
      empty: 'false',
      schema: { type: 'boolean' },
    }),
  };
};

/** Filters of what paths begin and end at. */
export const endpointFilters = (type: string): Record<string, Filter> => ({
  connected: method(
    'boolean',
    ({ table, tableOf }, [value]) =>
      `(${table}.id in (select unnest(p.origin_ids) from ${tableOf(PATHS)} p where p.origin_type = '${type}' and p.is_active and p.is_complete)) is ${value}`,
  ),
});
