import { batched, type Cell, type Field, type Json, json } from '@cadastre/model';

type Dict = { [key: string]: Json };

const isDict = (value: Json | undefined): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The members of both: dictionaries are merged, and any other value of the second replaces that of the first. The
 * result has no prototype, so every key is plain data.
 */
export function merge(first: Dict, second: Dict): Dict {
  const all = Object.assign(Object.create(null) as Dict, first);
  for (const [key, value] of Object.entries(second)) {
    const before = all[key];
    all[key] = isDict(value) ? merge(isDict(before) ? before : {}, value) : value;
  }
  return all;
}

/** JSON text of the merged data of the rows; each takes precedence over those before it. */
export function mergedText(rows: Cell[][]): string {
  let all: Dict = {};
  for (const [text] of rows) {
    const data = JSON.parse(text ?? 'null') as Json;
    if (isDict(data)) all = merge(all, data);
  }
  return JSON.stringify(all);
}

/** The data of the object itself, which takes precedence over all config contexts. */
export const localContextData = (): Field =>
  json({
    optional: true,
    dictionary: true,
    check: (value) =>
      value === null || isDict(value) ? [] : ['JSON data must be in object form. Example: {"foo": 123}'],
  });

/**
 * How the assignments of config contexts are compared with an object: by a column of it or of what it leads to; those
 * of trees hold for what is below.
 */
const PLACES = [
  ['regions', 'way', 'region."_path"'],
  ['site_groups', 'way', 'place."_path"'],
  ['sites', 'id', 't.site_id'],
  ['roles', 'way', 'role."_path"'],
  ['platforms', 'way', 'platform."_path"'],
  ['cluster_types', 'id', 'cluster.type_id'],
  ['cluster_groups', 'id', 'cluster.group_id'],
  ['clusters', 'id', 't.cluster_id'],
  ['tenant_groups', 'id', 'tenant.group_id'],
  ['tenants', 'id', 't.tenant_id'],
  ['tags', 'way', 't.tags'],
] as const;

/** The related objects whose changes may change which config contexts apply. */
const LEADS = [
  ['dcim.site', 'site', 't.site_id'],
  ['dcim.region', 'region', 'site.region_id'],
  ['dcim.sitegroup', 'place', 'site.group_id'],
  ['dcim.devicerole', 'role', 't.role_id'],
  ['dcim.platform', 'platform', 't.platform_id'],
  ['virtualization.cluster', 'cluster', 't.cluster_id'],
  ['tenancy.tenant', 'tenant', 't.tenant_id'],
] as const;

const CONTEXT = 'extras.configcontext';

/**
 * The merged data of all active config contexts that apply to an object, by weight and then by name, and its own last.
 * `further` are assignments that only this type has, with its column (`{ locations: 'location_id' }`); objects of other
 * types match none of them.
 */
export function configContext(
  type: string,
  further: Partial<Record<'locations' | 'device_types', string>> = {},
): Field {
  const own = (['locations', 'device_types'] as const).map((name) =>
    further[name] ? holds(name, 'id', `t.${further[name]}`) : `c.${name} = '{}'`,
  );
  const conditions = [
    'c.is_active',
    ...PLACES.map(([name, kind, expression]) => holds(name, kind, expression)),
    ...own,
  ];
  return batched({
    from: [CONTEXT, ...LEADS.map(([lead]) => lead)],
    empty: '{}',
    schema: { type: 'object', additionalProperties: true },
    print: mergedText,
    sql: ({ tableOf }) => {
      const table = tableOf(type);
      const joins = LEADS.map(([lead, alias, id]) => `left join ${tableOf(lead)} ${alias} on ${alias}.id = ${id}`).join(
        ' ',
      );
      return `select id, data from (
        select t.id, c.data::text, false as local, c.weight, c.name from ${table} t ${joins} join ${tableOf(CONTEXT)} c on ${conditions.join(' and ')} where t.id = any($1::bigint[])
        union all select t.id, t.local_context_data::text, true, 0, '' from ${table} t where t.id = any($1::bigint[]) and t.local_context_data is not null
      ) found order by id, local, weight, name`;
    },
  });
}

/** A context without any assignment of a kind applies whatever the object is in that respect. */
const holds = (name: string, kind: 'id' | 'way', expression: string): string =>
  `(c.${name} = '{}' or ${kind === 'id' ? `${expression} = any(c.${name})` : `c.${name} && ${expression}`})`;
