import {
  batched,
  choice,
  count,
  type Effect,
  type Field,
  type Follow,
  model,
  names,
  primaryFields,
  printFloat,
  ref,
  type Rule,
  scopeComplete,
  scoped,
  scopeFilters,
  tenantGroupFilters,
  text,
  withContacts,
} from '@cadastre/model';
import { clusterStatus } from './choices.ts';

/** The site at which a cluster is, by itself or by its location. */
export const findSite: Rule = async (object, { related }) => {
  const { scope_type: type, scope_id: scope } = object;
  object['_site'] =
    type === 'dcim.site'
      ? scope!
      : type === 'dcim.location'
        ? ((await related('dcim.location', scope))?.['site'] ?? null)
        : null;
  return undefined;
};

/**
 * When a location moves to another site, its clusters and their machines move too, as soon as both changes are known
 * here: events of different objects come in any order.
 */
const moveWith =
  (place: 'l.id' | 's.id'): Follow =>
  async (ids, { query, tableOf, derive }) => {
    const here = `${tableOf('virtualization.cluster')} t join ${tableOf('dcim.location')} l on t.scope_type = 'dcim.location' and l.id = t.scope_id join ${tableOf('dcim.site')} s on s.id = l.site_id`;
    const clusters = await query(
      `select t.id, s.id from ${here} where ${place} = any($1::bigint[]) and t."_site_id" is distinct from s.id`,
      [ids],
    );
    const machines = await query(
      `select m.id, s.id from ${here} join ${tableOf('virtualization.virtualmachine')} m on m.cluster_id = t.id where ${place} = any($1::bigint[]) and m.site_id is distinct from s.id`,
      [ids],
    );
    await derive(
      'virtualization.cluster',
      clusters.map(([id, site]) => ({ id: Number(id), _site: Number(site) })),
    );
    await derive(
      'virtualization.virtualmachine',
      machines.map(([id, site]) => ({ id: Number(id), site: Number(site) })),
    );
  };

/** A device that is a host of a cluster is at the site of the cluster. */
export const hostsAreThere: Rule = async (
  { id, scope_type: type, scope_id: scope, _site: site },
  { before, found, displayOf },
) => {
  if (!before || typeof site !== 'number' || (before['scope_type'] === type && before['scope_id'] === scope))
    return undefined;
  const hosts = await found('dcim.device', 'cluster', id);
  const location = type === 'dcim.location' ? scope : null;
  const elsewhere = [
    hosts.filter((host) => host['site'] !== site).length,
    location ? hosts.filter((host) => host['location'] !== location).length : 0,
  ] as const;
  const say = async (count: number, kind: 'site' | 'location', place: number) => ({
    scope: [
      `${count} devices are assigned as hosts for this cluster but are not in ${kind} ${await displayOf(`dcim.${kind}`, place)}`,
    ],
  });
  if (elsewhere[0]) return say(elsewhere[0], 'site', site);
  return elsewhere[1] ? say(elsewhere[1], 'location', Number(location)) : undefined;
};

/** Virtual machines are where their cluster is. */
export const takeMachinesAlong: Effect = async (changes, { find, derive }) => {
  const sites = new Map(
    changes
      .filter(
        ({ action, before, after }) => action === 'updated' && after!['_site'] && before!['_site'] !== after!['_site'],
      )
      .map(({ after }) => [after!['id'], after!['_site']!]),
  );
  if (!sites.size) return;
  const machines = await find('virtualization.virtualmachine', { cluster: [...sites.keys()] as number[] });
  await derive(
    'virtualization.virtualmachine',
    machines.flatMap(({ id, cluster, site }) =>
      site === sites.get(cluster) ? [] : [{ id: id!, site: sites.get(cluster)! }],
    ),
  );
};

/** The sum over the virtual machines of a cluster; null where none has a value. */
const allocated = (column: 'vcpus' | 'memory' | 'disk', type: 'float' | 'integer'): Field =>
  batched({
    from: ['virtualization.virtualmachine'],
    type,
    schema: { type: [type === 'float' ? 'number' : 'integer', 'null'] },
    sql: ({ tableOf }) =>
      `select t.cluster_id, sum(t."${column}") from ${tableOf('virtualization.virtualmachine')} t where t.cluster_id = any($1::bigint[]) group by 1`,
    print: (rows) => {
      const sum = rows[0]![0] ?? null;
      return sum !== null && type === 'float' ? printFloat(Number(sum)) : (sum ?? 'null');
    },
  });

/** Hosts that run virtual machines together. */
export const cluster = model('virtualization.cluster', {
  path: 'clusters',
  pages: {
    columns: ['type', 'group', 'status', 'tenant', 'scope', 'device_count', 'virtualmachine_count'],
    groups: {
      Scope: ['scope_type', 'scope_id', 'scope'],
      Resources: ['allocated_vcpus', 'allocated_memory', 'allocated_disk'],
    },
  },
  imports: { columns: { scope_name: names('scope', { among: {} }), site: names('scope', { of: 'dcim.site' }) } },
  label: 'cluster',
  ordering: ['name'],
  features: withContacts,
  brief: ['name', 'description', 'virtualmachine_count'],
  search: ['name', 'description', 'comments'],
  fields: {
    name: text({ max: 100, natural: true }),
    type: ref('virtualization.clustertype'),
    group: ref('virtualization.clustergroup', { optional: true }),
    status: choice(clusterStatus, { default: 'active' }),
    tenant: ref('tenancy.tenant', { optional: true }),
    ...scoped(),
    _site: ref('dcim.site', { optional: true, hidden: true, readOnly: true, onDelete: 'cascade' }),
    ...primaryFields(),
    device_count: count('dcim.device', 'cluster'),
    virtualmachine_count: count('virtualization.virtualmachine', 'cluster'),
    allocated_vcpus: allocated('vcpus', 'float'),
    allocated_memory: allocated('memory', 'integer'),
    allocated_disk: allocated('disk', 'integer'),
  },
  filters: { ...tenantGroupFilters(), ...scopeFilters() },
  unique: [
    { fields: ['group', 'name'], where: 'group_id is not null' },
    { fields: ['_site', 'name'], where: '_site_id is not null' },
  ],
  rules: [scopeComplete, findSite, hostsAreThere],
  effects: [takeMachinesAlong],
  follows: { 'dcim.location': moveWith('l.id'), 'dcim.site': moveWith('s.id') },
  reads: { 'dcim.device': ['site', 'location', 'cluster'], 'dcim.location': ['site'] },
});
