// What one member of a virtual chassis uses of another, and loses when they are separated.
import type { Cell, Effect, EffectContext, Errors, Json, Stored } from '@cadastre/model';

/** A field that refers to another device which is no longer in the same chassis. */
interface Split {
  type: string;
  id: number;
  field: string;
  /** The interface or address that the field refers to. */
  to: number;
  device: number;
  /** The device that the field refers to. */
  other: number;
  /** The chassis in which both devices are now, if any. */
  chassis: Json;
  otherChassis: Json;
}

type Asking = Pick<EffectContext, 'query' | 'tableOf' | 'displayOf'>;

/** The most obstacles that a message names. */
const MOST_NAMED = 10;

const CALLED: Record<string, string> = {
  parent: 'parent interface',
  bridge: 'bridge',
  lag: 'LAG',
  primary_ip4: 'primary IPv4 address',
  primary_ip6: 'primary IPv6 address',
  oob_ip: 'OOB IP address',
};

const valuesOf = (alias: string, fields: readonly string[]): string =>
  `cross join lateral (values ${fields.map((field) => `('${field}', ${alias}.${field}_id)`).join(', ')}) f (field, too)`;

/** Interfaces that have their LAG, bridge or parent on another device; `$1` are the devices on either side. */
const crossing = (tableOf: Asking['tableOf']): string => {
  const [interfaces, devices] = ['dcim.interface', 'dcim.device'].map(tableOf);
  const fields = ['parent', 'bridge', 'lag'];
  const columns = ['id', 'device_id', ...fields.map((field) => `${field}_id`)].join(', ');
  const ports = `array(select p.id from ${interfaces} p where p.device_id = any($1::bigint[]))`;
  return `select 'dcim.interface', i.id, f.field, f.too, d.id, e.id, d.virtual_chassis_id, e.virtual_chassis_id
    from (select ${columns} from ${interfaces} where device_id = any($1::bigint[])
      union select ${columns} from ${interfaces} where ${fields.map((field) => `${field}_id = any(${ports})`).join(' or ')}) i
    ${valuesOf('i', fields)} join ${interfaces} o on o.id = f.too join ${devices} d on d.id = i.device_id join ${devices} e on e.id = o.device_id
    where d.id <> e.id and (d.virtual_chassis_id is null or d.virtual_chassis_id is distinct from e.virtual_chassis_id) order by i.id`;
};

/**
 * Devices and virtual contexts with an address that is on an interface of another device; `$1` are the devices on
 * either side, `$2` the chassis that they were in.
 */
const addressed = (tableOf: Asking['tableOf']): string => {
  const [devices, interfaces, addresses] = ['dcim.device', 'dcim.interface', 'ipam.ipaddress'].map(tableOf);
  const on = (alias: string) => `${alias}.assigned_object_type = 'dcim.interface' and ${alias}.assigned_object_id`;
  const primary = ['primary_ip4', 'primary_ip6'];
  return `with member as (select id, virtual_chassis_id from ${devices} where id = any($1::bigint[]) or virtual_chassis_id = any($2::bigint[])),
    used as (
      select 'dcim.device' as type, t.id, t.id as device_id, f.field, f.too, true as translated from ${devices} t ${valuesOf('t', [...primary, 'oob_ip'])} where t.id in (select id from member)
      union all select 'dcim.virtualdevicecontext', t.id, t.device_id, f.field, f.too, false from ${tableOf('dcim.virtualdevicecontext')} t ${valuesOf('t', primary)} where t.device_id in (select id from member)
    ),
    placed as (
      select u.*, i.device_id as other, i.mgmt_only, h.virtual_chassis_id as theirs, m.virtual_chassis_id as own
      from used u join member m on m.id = u.device_id join ${addresses} a on a.id = u.too left join ${addresses} n on n.id = a.nat_inside_id and u.translated
      join ${interfaces} i on (${on('a')} = i.id or ${on('n')} = i.id) join ${devices} h on h.id = i.device_id
    )
    select type, id, field, too, device_id, min(other), own, (array_agg(theirs order by other))[1] from placed group by 1, 2, 3, 4, 5, own
    having not bool_or(other = device_id or coalesce(theirs = own and not mgmt_only, false)) and bool_or(device_id = any($1::bigint[]) or other = any($1::bigint[]))
    order by 1, 2, 3`;
};

const splitOf = ([type, id, field, to, device, other, own, theirs]: Cell[]): Split => ({
  type: type!,
  id: Number(id),
  field: field!,
  to: Number(to),
  device: Number(device),
  other: Number(other),
  chassis: own ? Number(own) : null,
  otherChassis: theirs ? Number(theirs) : null,
});

/**
 * References from one device to another that is no longer in the same chassis, after some devices have left theirs;
 * devices that were separate before do not count. `left` are the devices that have left, with their former chassis.
 */
export async function splitBy(left: ReadonlyMap<Json, Json>, { query, tableOf }: Asking): Promise<Split[]> {
  if (!left.size) return [];
  const devices = [...left.keys()];
  const interfaces = await query(crossing(tableOf), [devices]);
  const addresses = await query(addressed(tableOf), [devices, [...new Set(left.values())]]);
  const before = (device: number, now: Json): Json => left.get(device) ?? now;
  return [...interfaces, ...addresses].map(splitOf).filter(({ device, chassis, other, otherChassis }) => {
    const former = before(device, chassis);
    return former !== null && former === before(other, otherChassis);
  });
}

/** Why devices cannot be separated, as messages. */
export async function whyTogether(
  splits: readonly Split[],
  { displayOf }: Pick<Asking, 'displayOf'>,
): Promise<string[]> {
  return Promise.all(
    splits.slice(0, MOST_NAMED).map(async ({ type, id, field, to, device, other }) => {
      const [own, its, there] = await Promise.all([
        displayOf(type, id),
        displayOf('dcim.device', device),
        displayOf('dcim.device', other),
      ]);
      const target = await displayOf(type === 'dcim.interface' ? type : 'ipam.ipaddress', to);
      const who = type === 'dcim.device' ? its : `${own} of ${its}`;
      return `${who} has its ${CALLED[field]} (${target}) on ${there}, so both devices must be in the same virtual chassis.`;
    }),
  );
}

const hasLeft = ({ action, before, after }: Stored): boolean =>
  action === 'updated' &&
  before!['virtual_chassis'] !== null &&
  before!['virtual_chassis'] !== after!['virtual_chassis'];

/**
 * Whether a device has lost its chassis because the chassis was deleted, and not because a client removed the device
 * from it.
 */
const isOrphan = (change: Stored): boolean =>
  hasLeft(change) && change.after!['virtual_chassis'] === null && !('virtual_chassis' in change.given);

const placesOf = (changes: readonly Stored[]): Map<Json, Json> =>
  new Map(changes.map(({ before }) => [before!['id']!, before!['virtual_chassis']!]));

/** A device stays in its chassis while it and another member refer to interfaces or addresses of each other. */
export const membersStay: Effect = async (changes, context) => {
  const leaving = changes.filter((change) => hasLeft(change) && !isOrphan(change));
  if (context.importing || !leaving.length) return;
  const splits = await splitBy(placesOf(leaving), context);
  for (const change of leaving) {
    const id = Number(change.after!['id']);
    const own = splits.filter(({ device, other }) => device === id || other === id);
    if (own.length) context.refuse({ virtual_chassis: await whyTogether(own, context) } satisfies Errors, change);
  }
};

/**
 * A chassis stays while interfaces of one member are bundled by those of another. Its other references between members
 * end with it.
 */
export const chassisEnds: Effect = async (changes, context) => {
  const orphans = changes.filter(isOrphan);
  if (context.importing || !orphans.length) return;
  const splits = await splitBy(placesOf(orphans), context);
  await context.obstruct(
    'dcim.interface',
    splits.filter(({ field }) => field === 'lag').map(({ id }) => id),
  );
  for (const [type, some] of Map.groupBy(splits, (split) => split.type)) {
    const emptied = Map.groupBy(some, ({ id }) => id);
    await context.update(
      type,
      [...emptied].map(([id, fields]) => ({ id, ...Object.fromEntries(fields.map(({ field }) => [field, null])) })),
    );
  }
};

export const formerMembersHaveNoPosition: Effect = async (changes, { update }) => {
  await update(
    'dcim.device',
    changes.filter(isOrphan).map(({ after }) => ({ id: after!['id']!, vc_position: null, vc_priority: null })),
  );
};
