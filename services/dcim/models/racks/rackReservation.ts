import {
  choice,
  column,
  comments,
  computed,
  type Effect,
  integer,
  labels,
  list,
  method,
  model,
  narrows,
  owner,
  path,
  primary,
  ref,
  type Rule,
  tenantGroupFilters,
  text,
  timestamps,
  tree,
} from '@cadastre/model';
import { reservationStatus } from '../choices/rack.ts';
import { siteFilters } from '../groups/filters.ts';

const units = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** Only units that the rack has can be reserved. */
export const unitsOfRack: Rule = async (reservation, context) => {
  const wanted = units(reservation['units']);
  if (!wanted.length) return { units: ['This field cannot be blank.'] };
  const rack = await context.related('dcim.rack', reservation['rack']);
  if (!rack) return undefined;
  const first = Number(rack['starting_unit']);
  const height = Number(rack['u_height']);
  const wrong = wanted.filter((unit) => unit < first || unit >= first + height);
  return wrong.length ? { units: [`Invalid unit(s) for ${height}U rack: ${wrong.join(', ')}`] } : undefined;
};

/**
 * A unit can only be reserved once. The rack is locked first, so that concurrent requests for a unit wait for each
 * other.
 */
const reservedOnce: Effect = async (changes, { find, refuse }) => {
  const wanted = changes.filter(
    (c) =>
      c.after &&
      (c.action === 'created' ||
        c.before!['rack'] !== c.after['rack'] ||
        units(c.after['units']).some((unit) => !units(c.before!['units']).includes(unit))),
  );
  if (!wanted.length) return;
  const racks = [...new Set(wanted.map((c) => c.after!['rack']!))];
  await find('dcim.rack', { id: racks });
  const others = await find('dcim.rackreservation', { rack: racks });
  for (const change of wanted) {
    const later = new Set(wanted.slice(wanted.indexOf(change)).map((c) => c.after!['id']));
    const taken = new Set(
      others
        .filter((o) => o['rack'] === change.after!['rack'] && !later.has(o['id']!))
        .flatMap((o) => units(o['units'])),
    );
    const twice = units(change.after!['units']).filter((unit) => taken.has(unit));
    if (twice.length)
      refuse({ units: [`The following units have already been reserved: ${twice.join(', ')}`] }, change);
  }
};

const unit = integer({ size: 'smallint', min: 0, max: 32_767 });

/** A reservation of units in a rack. */
export const rackReservation = model('dcim.rackreservation', {
  path: 'rack-reservations',
  pages: { columns: ['rack', 'units', 'unit_count', 'status', 'user', 'tenant', 'description'] },
  imports: {
    columns: { site: narrows('dcim.site'), location: narrows('dcim.location') },
  },
  label: 'rack reservation',
  ordering: ['created'],
  features: primary,
  brief: ['status', 'user', 'description', 'units'],
  search: ['rack.name', 'rack.facility_id', 'user.username', 'description'],
  display: { columns: ['id'], related: ['rack'], text: (_, [rack]) => `Reservation for rack ${rack}` },
  fields: {
    rack: ref('dcim.rack', { onDelete: 'cascade', backwards: 'reservations' }),
    units: list({
      element: 'smallint',
      item: unit.parse!,
      print: (text) => text,
      child: { type: 'integer', required: true, read_only: false, min_value: 0, max_value: 32_767 },
      itemSchema: { type: 'integer' },
    }),
    unit_count: computed(['units'], ([text]) => String(text === '{}' || text === null ? 0 : text!.split(',').length), {
      schema: { type: 'integer' },
    }),
    status: choice(reservationStatus, { default: 'active' }),
    ...timestamps(),
    user: ref('users.user'),
    tenant: ref('tenancy.tenant', { optional: true }),
    description: text({ max: 200 }),
    ...owner(),
    ...comments(),
    ...labels(),
  },
  filters: {
    ...tenantGroupFilters(),
    ...siteFilters('rack.site'),
    location_id: tree('rack.location'),
    location: tree('rack.location', 'slug'),
    group_id: path('rack.group'),
    group: path('rack.group', 'slug'),
    unit: column('units', 'numbers'),
    unit_count_min: method(
      'number',
      ({ table, bind }, [value]) => `cardinality(${table}.units) >= ${bind(value)}::bigint`,
    ),
    unit_count_max: method(
      'number',
      ({ table, bind }, [value]) => `cardinality(${table}.units) <= ${bind(value)}::bigint`,
    ),
  },
  rules: [unitsOfRack],
  effects: [reservedOnce],
});
