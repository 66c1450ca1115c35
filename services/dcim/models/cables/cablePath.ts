import { boolean, json, list, model, objectType } from '@cadastre/model';
import { retraceCircuits } from '../cabling/retrace.ts';

const ids = () =>
  list({
    element: 'bigint',
    item: (value) => ({ value }),
    print: (item) => item,
    lookups: 'numbers',
    optional: true,
    atOnce: true,
  });

/**
 * The path from ends of cables to where they lead. `cabling/retrace.ts` keeps it up to date, so that showing what an
 * interface is connected to needs no tracing. Changes of paths are not published: they follow from changes of cables,
 * which are. Every new cable looks for the paths that its ends are on, so new paths have to be in the indexes at once.
 */
export const cablePath = model('dcim.cablepath', {
  path: 'cable-paths',
  label: 'cable path',
  part: 'hidden',
  ordering: ['id'],
  brief: ['origin_type'],
  fields: {
    origin_type: objectType(),
    origin_ids: ids(),
    /** Lists of `<type>:<id>`: ends, cables, ends, and so on. */
    steps: json(),
    /** Everything that was looked at while tracing. */
    seen: list({ element: 'text', item: (value) => ({ value }), lookups: 'strings', optional: true, atOnce: true }),
    is_active: boolean(),
    is_complete: boolean(),
    is_split: boolean(),
    destination_type: objectType({ optional: true }),
    destination_ids: ids(),
  },
  follows: { 'circuits.circuittermination': retraceCircuits },
});
