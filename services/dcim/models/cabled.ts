import { boolean, choice, computed, type Field, fails, type Filter, helped, integer, list, method, ref } from '@cadastre/model';
import { cableEnd } from './choices/cable.ts';

const position = list({
  element: 'smallint', item: (value) => (typeof value === 'number' ? { value } : fails('A valid integer is required.')), print: (item) => item,
  optional: true, nullable: true, readOnly: true, hidden: true,
});

/**
 * What everything has that a cable can end at. All but `mark_connected` follows from the terminations of cables
 * (`cableTerminationEffects.ts`), so nobody writes it.
 */
export const cabled = (): Record<string, Field> => ({
  mark_connected: helped('Treat as if a cable is connected', boolean()),
  cable: ref('dcim.cable', { optional: true, readOnly: true, onDelete: 'setNull' }),
  cable_end: choice(cableEnd, { optional: true, readOnly: true, nullable: true, plain: true, max: 1 }),
  cable_connector: integer({ optional: true, readOnly: true, hidden: true, size: 'smallint' }),
  cable_positions: position,
  _occupied: computed(['cable_id', 'mark_connected'], ([cable, marked]) => String(cable !== null || marked === 't' || marked === 'true'), { schema: { type: 'boolean' } }),
});

/** Filters of what a cable can end at, besides those of its fields. */
export const cabledFilters = (): Record<string, Filter> => ({
  cabled: method('boolean', ({ table }, [value]) => `(${table}.cable_id is not null) is ${value}`),
  occupied: method('boolean', ({ table }, [value]) => `(${table}.cable_id is not null or ${table}.mark_connected) is ${value}`),
});
