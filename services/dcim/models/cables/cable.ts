import {
  choice,
  color,
  decimal,
  model,
  owned,
  primary,
  primaryFields,
  ref,
  resets,
  tenantGroupFilters,
  text,
} from '@cadastre/model';
import { cableTermination } from './cableTermination.ts';
import { absoluteLength } from './cableLength.ts';
import { cableStatus, cableType, lengthUnit } from '../choices/cable.ts';
import { cableFilters } from '../cabling/filters/cableFilters.ts';
import { checkTerminations } from '../cabling/checkTerminations.ts';
import { cableProfile } from '../cabling/profiles.ts';
import { reassign, retraceCables } from '../cabling/effects/cableEffects.ts';
import { cableEnds } from './cableEnds.ts';
import { inConnectors } from '../cabling/connectors.ts';
import type { Side } from '../cabling/plant.ts';

const ends = (side: Side) =>
  owned(
    cableTermination,
    'cable',
    { object_type: 'termination_type', object_id: 'termination_id', object: 'termination' },
    {
      where: { cable_end: side },
      complete: (rows, cable) => inConnectors(rows, cable['profile'], side),
    },
  );

/** A connection between two things, or two groups of things: a cable with its ends. */
export const cable = model('dcim.cable', {
  path: 'cables',
  pages: {
    columns: ['a_terminations', 'b_terminations', 'type', 'status', 'color', 'length', 'tenant'],
    groups: {
      Ends: ['a_terminations', 'b_terminations'],
      Physical: ['label', 'color', 'length', 'length_unit'],
    },
  },
  imports: { columns: cableEnds() },
  label: 'cable',
  ordering: ['id'],
  features: primary,
  brief: ['label', 'description'],
  search: ['label', 'description'],
  display: { columns: ['id', 'label'], text: ([id, label]) => label || `#${id}` },
  fields: {
    type: choice(cableType, { optional: true, nullable: true, plain: true }),
    a_terminations: ends('A'),
    b_terminations: ends('B'),
    status: choice(cableStatus, { default: 'connected' }),
    profile: choice(cableProfile, { optional: true }),
    tenant: ref('tenancy.tenant', { optional: true }),
    bundle: resets(ref('dcim.cablebundle', { optional: true, onDelete: 'setNull' })),
    label: text({ max: 100, optional: true, natural: true }),
    color: color({ optional: true }),
    length: decimal({ digits: 8, places: 2, optional: true }),
    length_unit: choice(lengthUnit, { optional: true, nullable: true, one: true }),
    ...primaryFields(),
    /** The length in metres, by which lengths in different units are compared. */
    _abs_length: { ...decimal({ digits: 13, places: 4, optional: true, filter: false }), hidden: true },
  },
  filters: { ...tenantGroupFilters(), ...cableFilters() },
  reads: {
    'circuits.circuittermination': ['circuit', 'term_side', 'termination_type', 'termination_id', 'mark_connected'],
  },
  rules: [absoluteLength],
  checks: [checkTerminations],
  effects: [reassign, retraceCables],
});
