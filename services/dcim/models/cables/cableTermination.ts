import { choice, generic, integer, list, model, objectType, path, ref, timestamps } from '@cadastre/model';
import { cableEnd } from '../choices/cable.ts';
import { position } from '../cabling/fields.ts';
import { TERMINABLE } from '../cabling/terminable.ts';
import { terminationFilters } from '../cabling/filters/terminationFilters.ts';
import { attach, locate, retraceTerminations } from '../cabling/effects/terminationEffects.ts';

/** An end of a cable: what it is plugged into. Written with the cable. */
export const cableTermination = model('dcim.cabletermination', {
  path: 'cable-terminations',
  label: 'cable termination',
  belongsTo: 'termination',
  part: 'listed',
  displayPath: false,
  ordering: ['cable', 'cable_end', 'connector'],
  features: ['changeLogging', 'eventRules', 'timestamps'],
  brief: ['cable', 'cable_end', 'connector', 'positions', 'termination_type', 'termination_id'],
  display: {
    columns: [],
    related: ['cable', 'termination'],
    text: (_, [cable, termination]) => `Cable ${cable} to ${termination}`,
  },
  fields: {
    cable: ref('dcim.cable', { onDelete: 'cascade', form: 'id' }),
    cable_end: choice(cableEnd, { plain: true, max: 1, one: true }),
    termination_type: objectType(),
    termination_id: integer({ size: 'bigint', min: 0 }),
    termination: generic('termination_type', 'termination_id', { to: TERMINABLE, onDelete: 'cascade' }),
    connector: integer({ size: 'smallint', min: 1, max: 256, optional: true, filter: false }),
    positions: list({ element: 'smallint', item: position, print: (item) => item, optional: true, nullable: true }),
    ...timestamps(),
    /** Where the end is, so that cables can be found by it. */
    _device: ref('dcim.device', { optional: true, hidden: true, onDelete: 'cascade' }),
  },
  filters: {
    cable: path('cable'),
    ...terminationFilters(
      (type) =>
        ({ table, bind }, ids) =>
          `(${table}.termination_type = '${type}' and ${table}.termination_id = any(${bind(ids)}::bigint[]))`,
    ),
  },
  unique: [
    { fields: ['termination_type', 'termination_id'] },
    { fields: ['cable', 'cable_end', 'connector'], where: 'connector is not null' },
  ],
  effects: [locate, attach, retraceTerminations],
});
