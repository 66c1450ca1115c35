import { boolean, choice, computed, type Field, type Filter, helped, integer, list, method, ref, type Rule } from '@cadastre/model';
import { position } from './cabling/fields.ts';
import { cableEnd } from './choices/cable.ts';


/**
 * What everything has that a cable can end at. All but `mark_connected` follows from the terminations of cables
 * (`cabling/terminationEffects.ts`), so nobody writes it.
 */
export const cabled = (): Record<string, Field> => ({
  mark_connected: helped('Treat as if a cable is connected', boolean()),
  cable: ref('dcim.cable', { optional: true, readOnly: true, onDelete: 'setNull' }),
  cable_end: choice(cableEnd, { optional: true, readOnly: true, nullable: true, plain: true, max: 1 }),
  cable_connector: integer({ optional: true, readOnly: true, hidden: true, size: 'smallint' }),
  cable_positions: list({ element: 'smallint', item: position, print: (item) => item, optional: true, nullable: true, readOnly: true, hidden: true }),
  _occupied: computed(['cable_id', 'mark_connected'], ([cable, marked]) => String(cable !== null || marked === 't' || marked === 'true'), { schema: { type: 'boolean' } }),
});

/** Filters of what a cable can end at, besides those of its fields. */
export const cabledFilters = (): Record<string, Filter> => ({
  cabled: method('boolean', ({ table }, [value]) => `(${table}.cable_id is not null) is ${value}`),
  occupied: method('boolean', ({ table }, [value]) => `(${table}.cable_id is not null or ${table}.mark_connected) is ${value}`),
});

/** Nobody says that something is connected to which a cable is attached. */
export const notMarkedWhenCabled: Rule = ({ mark_connected, cable }) =>
  (mark_connected && cable ? { mark_connected: ['Cannot mark as connected with a cable attached.'] } : undefined);

const CONNECTED = (type: string, tableOf: (type: string) => string) =>
  `select unnest(p.origin_ids) from ${tableOf('dcim.cablepath')} p where p.origin_type = '${type}' and p.is_active`;

/** Filters of what paths begin and end at. */
export const endpointFilters = (type: string): Record<string, Filter> => ({
  connected: method('boolean', ({ table, tableOf }, [value]) => `(${table}.id in (${CONNECTED(type, tableOf)})) is ${value}`),
});
