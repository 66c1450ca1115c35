import { type Check, type CheckContext, hostOf, type Json, lookedUp, type Proposed, withMask } from '@cadastre/model';
import { SHARED_ROLES } from './choices.ts';
import { idsOf, locked } from './locks.ts';

/**
 * Where addresses and networks must be unique: in routing tables that say so, and in the global one if the settings do.
 */
export interface Space {
  enforceGlobalUnique: boolean;
}

/**
 * Name of the lock on all addresses of a routing table: writers share it, and a request that looks for free addresses
 * takes it exclusively.
 */
export const addressesOf = (vrf: Json | undefined): string => `ipam addresses ${vrf ?? 'global'}`;
export const prefixesOf = (vrf: Json | undefined): string => `ipam prefixes ${vrf ?? 'global'}`;

interface Found {
  value: string;
  table: string;
}

/** Which objects repeat one that is stored, or one before them in the request, where that is not allowed. */
async function repeated(
  proposed: readonly Proposed[],
  { query, tableOf, service }: CheckContext,
  type: 'ipam.prefix' | 'ipam.ipaddress',
): Promise<Map<number, Found>> {
  const addresses = type === 'ipam.ipaddress';
  const column = addresses ? 'address' : 'prefix';
  const given = proposed.map(({ object }, n) => ({
    n,
    vrf_id: object['vrf'] ?? null,
    [column]: object[column],
    role: addresses ? object['role'] : '',
  }));
  const equal = addresses
    ? `${hostOf('o', 'address')} = ${hostOf('g', 'address')} and not (g.role = any($4::text[]) and o.role = any($4::text[]))`
    : 'o.prefix = g.prefix';
  const rows = await query(
    `with given as (select r.* from jsonb_to_recordset($1::jsonb) as r(n integer, vrf_id bigint, ${column} ${addresses ? 'inet' : 'cidr'}, role text)
      left join ${tableOf('ipam.vrf')} v on v.id = r.vrf_id where case when r.vrf_id is null then $3::boolean else v.enforce_unique end)
    select distinct on (f.n) f.n, f.value, v.name, v.rd from (
      select g.n, g.vrf_id, o.${column} as value, o.id as place from given g ${lookedUp(`select o.id, o.${column} from ${tableOf(type)} o where ${equal} and o.vrf_id is not distinct from g.vrf_id and o.id <> all($2::bigint[])`)} o
      union all select g.n, g.vrf_id, o.${column}, null from given g join given o on ${equal} and o.vrf_id is not distinct from g.vrf_id where o.n < g.n
    ) f left join ${tableOf('ipam.vrf')} v on v.id = f.vrf_id order by f.n, f.place`,
    [
      JSON.stringify(given),
      idsOf(proposed),
      service<Space>('space').enforceGlobalUnique,
      ...(addresses ? [SHARED_ROLES] : []),
    ],
  );
  return new Map(
    rows.map(([n, value, name, rd]) => [
      Number(n),
      { value: withMask(value!), table: name === null ? 'global table' : `VRF ${name}${rd ? ` (${rd})` : ''}` },
    ]),
  );
}

/** A network is unique in a routing table. */
export const uniquePrefixes: Check = async (proposed, context) => {
  await locked(
    context.query,
    proposed.flatMap(({ object, before }) => [
      prefixesOf(object['vrf']),
      ...(before ? [prefixesOf(before['vrf'])] : []),
    ]),
  );
  const found = await repeated(proposed, context, 'ipam.prefix');
  return proposed.map(({ object }, n) => {
    if (String(object['prefix']).endsWith('/0')) return { prefix: ['Cannot create prefix with /0 mask.'] };
    const other = found.get(n);
    return other && { prefix: [`Duplicate prefix found in ${other.table}: ${other.value}`] };
  });
};

/** An address is unique in a routing table, except for roles in which several interfaces share it. */
export const uniqueAddresses: Check = async (proposed, context) => {
  await locked(
    context.query,
    proposed.map(({ object }) => addressesOf(object['vrf'])),
    'shared',
  );
  await locked(
    context.query,
    proposed.map(({ object }) => `${addressesOf(object['vrf'])} ${String(object['address']).split('/')[0]}`),
  );
  const found = await repeated(proposed, context, 'ipam.ipaddress');
  return proposed.map(({ object }, n) => {
    if (String(object['address']).endsWith('/0')) return { address: ['Cannot create IP address with /0 mask.'] };
    const other = found.get(n);
    return other && { address: [`Duplicate IP address found in ${other.table}: ${other.value}`] };
  });
};
