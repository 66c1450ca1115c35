import {
  addressText,
  type Check,
  hostOf,
  hostsOf,
  type Json,
  networkOf,
  type Rule,
  type RuleContext,
  type Values,
  withMask,
} from '@cadastre/model';
import { rangeText } from './ipRange.ts';

/** DNS names are not case-sensitive. */
export const lowerDnsName: Rule = (address) => {
  address['dns_name'] = String(address['dns_name'] ?? '').toLowerCase();
  return undefined;
};

/** Only IPv6 has addresses that hosts make up themselves (SLAAC). */
export const slaacIsV6: Rule = ({ status, address }) =>
  status === 'slaac' && networkOf(String(address))?.family !== 6
    ? { status: ['Only IPv6 addresses can be assigned SLAAC status'] }
    : undefined;

const ASSIGNMENT = ['address', 'assigned_object_type', 'assigned_object_id'];

/**
 * The address of a network, or of all hosts in it, may be stored, but no interface has it. Of a stored address, that is
 * checked when the address or its assignment changes.
 */
export const hostsHaveIt: Rule = (object, { before }) => {
  const { address, assigned_object_type: type, assigned_object_id: id } = object;
  if (!type || typeof id !== 'number') return undefined;
  if (before && ASSIGNMENT.every((name) => before[name] === object[name])) return undefined;
  const network = networkOf(String(address));
  if (!network?.length) return undefined;
  const { first, last } = hostsOf(network);
  const what = network.address < first ? 'network ID' : network.address > last ? 'broadcast address' : undefined;
  return (
    what && {
      address: [
        `${addressText(network.family, network.address)} is a ${what}, which may not be assigned to an interface.`,
      ],
    }
  );
};

/** What an assigned interface belongs to, and the fields there that may refer to one of its addresses. */
const PARENTS: Record<string, { field: string; type: string; oob: boolean }> = {
  'dcim.interface': { field: 'device', type: 'dcim.device', oob: true },
  'virtualization.vminterface': { field: 'virtual_machine', type: 'virtualization.virtualmachine', oob: false },
};

async function parentOf(
  { assigned_object_type: type, assigned_object_id: id }: Values,
  { related, current }: RuleContext,
): Promise<{ type: string; id: Json; values: Values | null; oob: boolean } | undefined> {
  const parent = typeof type === 'string' ? PARENTS[type] : undefined;
  const at = parent && (await related(String(type), id))?.[parent.field];
  return at === undefined || at === null
    ? undefined
    : { type: parent!.type, id: at, oob: parent!.oob, values: await current(parent!.type, at) };
}

/** The primary address of a device or virtual machine stays with it. */
export const primaryStays: Rule = async (object, context) => {
  const { before } = context;
  if (
    !before ||
    (before['assigned_object_type'] === object['assigned_object_type'] &&
      before['assigned_object_id'] === object['assigned_object_id'])
  )
    return undefined;
  const [from, to] = await Promise.all([parentOf(before, context), parentOf(object, context)]);
  if (!from || (from.type === to?.type && from.id === to.id)) return undefined;
  const family = networkOf(String(object['address']))?.family;
  const role =
    from.values?.[`primary_ip${family}`] === object['id']
      ? 'primary'
      : from.oob && from.values?.['oob_ip'] === object['id']
        ? 'OOB'
        : undefined;
  return (
    role && { __all__: [`Cannot reassign IP address while it is designated as the ${role} IP for the parent object`] }
  );
};

/** Every address of a range that is marked as populated counts as there already, so none can be created. */
export const outsidePopulated: Check = async (proposed, { query, tableOf }) => {
  const fresh = proposed.flatMap(({ object, before }, n) =>
    before ? [] : [{ n, vrf_id: object['vrf'] ?? null, address: object['address'] }],
  );
  if (!fresh.length) return [];
  const rows = await query(
    `select distinct on (g.n) g.n, r.start_address, r.end_address from jsonb_to_recordset($1::jsonb) as g(n integer, vrf_id bigint, address inet)
      join ${tableOf('ipam.iprange')} r on r.mark_populated and r.vrf_id is not distinct from g.vrf_id and family(r.start_address) = family(g.address)
        and ${hostOf('g', 'address')} between ${hostOf('r', 'start_address')} and ${hostOf('r', 'end_address')}
    order by g.n, r.id`,
    [JSON.stringify(fresh)],
  );
  const found = new Map(rows.map(([n, start, end]) => [Number(n), rangeText(start!, end!)]));
  return proposed.map(({ object }, n) =>
    found.has(n)
      ? { address: [`Cannot create IP address ${withMask(String(object['address']))} inside range ${found.get(n)}.`] }
      : undefined,
  );
};
