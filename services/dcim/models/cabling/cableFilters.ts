import { type Filter, method, path, through } from '@cadastre/model';
import type { Side } from './plant.ts';
import { terminationFilters } from './terminationFilters.ts';

const ENDS = 'dcim.cabletermination';

/** Cables that have an end for which a condition holds. */
const havingEnd = (condition: (bound: string, tableOf: (type: string) => string) => string, array: 'bigint[]' | 'text[]', value: 'number' | 'text' = 'number'): Filter =>
  method(value, ({ table, bind, tableOf }, values) => `${table}.id in (select e.cable_id from ${tableOf(ENDS)} e where ${condition(`${bind(values)}::${array}`, tableOf)})`, true);

/** Cables with an end at one of the places: by id, or by what people call it. */
const at = (name: string, column: string, type: string, key: string): Record<string, Filter> => ({
  [`${name}_id`]: havingEnd((ids) => `e.${column} = any(${ids})`, 'bigint[]'),
  [name]: havingEnd((names, tableOf) => `e.${column} in (select p.id from ${tableOf(type)} p where p.${key} = any(${names}))`, 'text[]', 'text'),
});

const idAt = (side: Side): Filter => havingEnd((ids) => `e.cable_end = '${side}' and e.termination_id = any(${ids})`, 'bigint[]');

/** Filters of cables that look at their ends. */
export const cableFilters = (): Record<string, Filter> => ({
  bundle: path('bundle', 'name'),
  termination_a_type: through(`<${ENDS}.cable`, 'termination_type', 'objectType'), termination_a_id: idAt('A'),
  termination_b_type: through(`<${ENDS}.cable`, 'termination_type', 'objectType'), termination_b_id: idAt('B'),
  unterminated: method('boolean', ({ table, tableOf }, [wanted]) =>
    `((select count(distinct e.cable_end) from ${tableOf(ENDS)} e where e.cable_id = ${table}.id) < 2) is ${wanted}`),
  ...at('device', '_device_id', 'dcim.device', 'name'),
  ...at('rack', '_rack_id', 'dcim.rack', 'name'),
  ...at('location', '_location_id', 'dcim.location', 'name'),
  ...at('site', '_site_id', 'dcim.site', 'slug'),
  ...terminationFilters((type) => ({ table, bind, tableOf }, ids) =>
    `${table}.id in (select e.cable_id from ${tableOf(ENDS)} e where e.termination_type = '${type}' and e.termination_id = any(${bind(ids)}::bigint[]))`),
});
