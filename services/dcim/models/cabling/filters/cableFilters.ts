import { type Filter, method, path, through } from '@cadastre/model';
import { isAt, type Place } from '../cableLocations.ts';
import type { Side } from '../plant.ts';
import { terminationFilters } from './terminationFilters.ts';

const ENDS = 'dcim.cabletermination';

/** Cables that have an end for which a condition holds. */
const havingEnd = (
  condition: (bound: string, tableOf: (type: string) => string) => string,
  array: 'bigint[]' | 'text[]',
  value: 'number' | 'text' = 'number',
): Filter =>
  method(
    value,
    ({ table, bind, tableOf }, values) =>
      `${table}.id in (select e.cable_id from ${tableOf(ENDS)} e where ${condition(`${bind(values)}::${array}`, tableOf)})`,
    true,
  );

type Said = (holds: (column: string) => string, tableOf: (type: string) => string) => string;

/**
 * Cables with an end at one of the objects, which are given by id or by key. `said` turns a condition on a column into
 * one on an end.
 */
const at = (name: string, type: string, key: string, said: Said): Record<string, Filter> => ({
  [`${name}_id`]: havingEnd((ids, tableOf) => said((column) => `${column} = any(${ids})`, tableOf), 'bigint[]'),
  [name]: havingEnd(
    (names, tableOf) =>
      said((column) => `${column} in (select p.id from ${tableOf(type)} p where p.${key} = any(${names}))`, tableOf),
    'text[]',
    'text',
  ),
});

const place = (name: Place, key: string): Record<string, Filter> =>
  at(name, `dcim.${name}`, key, (holds, tableOf) => isAt(name, holds, tableOf));

const idAt = (side: Side): Filter =>
  havingEnd((ids) => `e.cable_end = '${side}' and e.termination_id = any(${ids})`, 'bigint[]');

/** Filters of cables that look at their ends. */
export const cableFilters = (): Record<string, Filter> => ({
  bundle: path('bundle', 'name'),
  termination_a_type: through(`<${ENDS}.cable`, 'termination_type', 'objectType'),
  termination_a_id: idAt('A'),
  termination_b_type: through(`<${ENDS}.cable`, 'termination_type', 'objectType'),
  termination_b_id: idAt('B'),
  unterminated: method(
    'boolean',
    ({ table, tableOf }, [wanted]) =>
      `((select count(distinct e.cable_end) from ${tableOf(ENDS)} e where e.cable_id = ${table}.id) < 2) is ${wanted}`,
  ),
  ...at('device', 'dcim.device', 'name', (holds) => holds('e._device_id')),
  ...place('rack', 'name'),
  ...place('location', 'name'),
  ...place('site', 'slug'),
  ...terminationFilters(
    (type) =>
      ({ table, bind, tableOf }, ids) =>
        `${table}.id in (select e.cable_id from ${tableOf(ENDS)} e where e.termination_type = '${type}' and e.termination_id = any(${bind(ids)}::bigint[]))`,
  ),
});
