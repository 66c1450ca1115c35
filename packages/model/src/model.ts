import { writeOwned } from './fields/related/owned.ts';
import { path, tree } from './filters/filter.ts';
import type { Filter } from './types/filter.ts';
import type { Definition, Model } from './types/model.ts';
import type { Rule } from './types/rule.ts';

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A label as the reference's class name: `site group` → `SiteGroup`, `IP address` → `IPAddress`. */
const classNameOf = (label: string): string => label.split(/[ -]/).map(capital).join('');

/** A tree's rule: no object may lie below itself. */
const noLoop =
  (type: string, label: string): Rule =>
  async ({ id, parent }, context) =>
    context.before && typeof id === 'number' && typeof parent === 'number' && (await context.isBelow(type, parent, id))
      ? { parent: [`Cannot assign self or child ${label} as parent.`] }
      : undefined;

/** Names of models that are in use, with their declarations, for `catalogue`. */
export function model(name: string, d: Definition): Model {
  const [app, short] = name.split('.') as [string, string];
  const key = d.key ?? ['slug', 'name', 'username'].find((f) => f in d.fields);
  const declared = Object.fromEntries(
    Object.entries(d.filters ?? {}).filter((entry): entry is [string, Filter] => entry[1] !== false),
  );
  const first = Object.entries(d.fields).find(([, f]) => /^varchar\(\d+\)$/.test(f.column?.type ?? ''))?.[0];
  return {
    ...d,
    name,
    app,
    key,
    ordering: d.ordering ?? [],
    className: d.className ?? classNameOf(d.label),
    ...(d.part ? { readOnly: true } : {}),
    plural: d.plural ?? `${d.label}s`,
    table: d.table ?? `${app}_${short}`,
    migrated: d.table === undefined,
    features: new Set(d.features),
    fields: d.fields,
    filters: { ...derivedFilters(d), ...declared },
    without: Object.entries(d.filters ?? {}).flatMap(([filter, said]) => (said ? [] : [filter])),
    namesOne: key !== undefined && (d.key !== undefined || key === 'slug' || d.fields[key]?.column?.unique === true),
    display: d.display ?? { columns: [first ?? 'id'], text: ([cell]) => cell ?? '' },
    search: d.search ?? [],
    searchIndex: d.searchIndex ?? [],
    resets: resetsOf(d),
    unique: d.unique ?? [],
    inputRules: d.inputRules ?? [],
    rules: [...(d.tree ? [noLoop(name, d.label)] : []), ...(d.rules ?? [])],
    effects: [...writeOwned(d.fields), ...(d.effects ?? [])],
    follows: d.follows ?? {},
    checks: d.checks ?? [],
    indexes: d.indexes ?? [],
  };
}

/**
 * The optional fields that a PUT resets when it leaves them out: members of a `unique` set of several fields, which
 * identify the object together, unless the set ignores case. Others keep their value, unless they say otherwise.
 */
function resetsOf(d: Definition): string[] {
  if (d.readOnly || d.part) return [];
  const identifying = new Set(
    (d.unique ?? []).flatMap(({ fields, ignoreCase }) => (fields.length > 1 && !ignoreCase ? fields : [])),
  );
  return Object.entries(d.fields).flatMap(([name, field]) =>
    field.column &&
    field.parse &&
    !field.required &&
    !field.readOnly &&
    !field.hidden &&
    (field.replaced ? field.replaced === 'reset' : identifying.has(name))
      ? [name]
      : [],
  );
}

/**
 * The filters that every field brings with it. Filters of references are completed by the catalogue, which knows the
 * other model.
 */
function derivedFilters(d: Definition): Record<string, Filter> {
  const filters: Record<string, Filter> = { id: { kind: 'column', field: 'id', family: 'number' } };
  for (const [name, field] of Object.entries(d.fields)) {
    if (field.lookups && !field.secret) filters[name] = { kind: 'column', field: name, family: field.lookups };
  }
  const features = new Set(d.features);
  if (features.has('timestamps')) {
    filters['created_by_request'] = { kind: 'request', actions: ['created'] };
    filters['updated_by_request'] = { kind: 'request', actions: ['updated'] };
    filters['modified_by_request'] = { kind: 'request', actions: ['created', 'updated'] };
  }
  if (d.search?.length || d.searchBy) filters['q'] = { kind: 'search' };
  if (features.has('tags'))
    Object.assign(filters, { tag: { kind: 'tag', by: 'slug' }, tag_id: { kind: 'tag', by: 'id' } });
  if ('owner' in d.fields)
    Object.assign(filters, { owner_group_id: path('owner.group'), owner_group: path('owner.group', 'name') });
  if (features.has('contacts')) {
    const assigned = '<tenancy.contactassignment.object';
    Object.assign(filters, {
      contact: path(`${assigned}/contact`),
      contact_role: path(`${assigned}/role`),
      contact_group: tree(`${assigned}/contact.groups`),
    });
  }
  return filters;
}
