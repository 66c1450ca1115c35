import { type Dict, isDict, type Model, pythonText, type Reference } from '@cadastre/model';
import { Binder, type Executor, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { allowedSql, attributesSql, ConstraintError, UnfitValue } from '../../visibility/permissions.ts';
import { allowed, type Requester } from '../../core/requester.ts';
import type { Resolved } from '../../peers/peers.ts';

/** Statements that look attributes up are put together in groups of this many. */
export const GROUP = 200;

/** A lookup by a regular expression, which may take long. */
const PATTERN = /__i?regex$/;

/** A reference that is made by attributes, and its place among others. */
export interface ByAttributes {
  i: number;
  attributes: Dict;
}

export const byAttributes = (references: readonly Reference[]): ByAttributes[] =>
  references.flatMap((r, i) => ('attributes' in r ? [{ i, attributes: r.attributes }] : []));

/**
 * Puts into `results` which objects the attributes mean, or why they mean none. References by id, and attributes that
 * match nothing, get no entry.
 */
export async function lookUp(
  tables: Tables,
  model: Model,
  references: readonly Reference[],
  who: Requester,
  executor: Executor,
  results: (Resolved | undefined)[],
): Promise<void> {
  const wanted = byAttributes(references);
  for (let at = 0; at < wanted.length; at += GROUP)
    await lookUpGroup(tables, model, wanted.slice(at, at + GROUP), who, executor, results);
}

async function lookUpGroup(
  tables: Tables,
  model: Model,
  wanted: readonly ByAttributes[],
  who: Requester,
  executor: Executor,
  results: (Resolved | undefined)[],
): Promise<void> {
  const binder = new Binder();
  const text = matching(tables, model, wanted, who, binder, results);
  if (!text) return;
  const rows = await rowsOf(executor, { text, values: binder.values });
  const found = new Map<number, string[]>();
  for (const [i, id] of rows) found.set(Number(i), [...(found.get(Number(i)) ?? []), id!]);
  for (const { i, attributes } of wanted) {
    const ids = found.get(i);
    if (ids) results[i] = ids.length === 1 ? { id: Number(ids[0]) } : ambiguous(attributes);
  }
}

/**
 * A query for the ids that attributes match, two for each reference at most, by its place. Puts into `results` what is
 * wrong with attributes; undefined where nothing is left to look for.
 */
export function matching(
  tables: Tables,
  model: Model,
  wanted: readonly ByAttributes[],
  who: Requester,
  binder: Binder,
  results: (Resolved | undefined)[],
): string | undefined {
  if (allowed(who.grants, 'view', model.name) === false) return undefined;
  const parts: string[] = [];
  for (const { i, attributes } of wanted) {
    const given = Object.entries(flatten(attributes));
    const pattern = given.find(([name]) => PATTERN.test(name));
    if (pattern) {
      results[i] = { error: `Regular expressions cannot be used to reference related objects: '${pattern[0]}'.` };
      continue;
    }
    try {
      const condition = attributesSql(tables, model, given, binder, { client: who });
      const permission = allowedSql(tables, model, 'view', who, binder);
      parts.push(
        `(select ${i}::int as place, t.id from ${tables.nameOf(model.name)} t where ${condition}${permission ? ` and ${permission}` : ''} limit 2)`,
      );
    } catch (error) {
      if (!(error instanceof ConstraintError)) throw error;
      // A value that no object can have matches none.
      if (!(error instanceof UnfitValue)) results[i] = { error: unknownKeyword(model, attributes, error) };
    }
  }
  return parts.length ? parts.join(' union all ') : undefined;
}

export const ambiguous = (attributes: Dict): Resolved => ({
  error: `Multiple objects match the provided attributes: ${pythonText(flatten(attributes))}`,
});

/** `{site: {name: 'x'}}` → `{site__name: 'x'}`. */
function flatten(attributes: Dict, prefix = ''): Dict {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) =>
      isDict(value) ? Object.entries(flatten(value, `${prefix}${key}__`)) : [[prefix + key, value]],
    ),
  );
}

const unknownKeyword = (model: Model, attributes: Dict, error: ConstraintError): string => {
  const key = /'([^']+)'/.exec(error.message)?.[1] ?? Object.keys(attributes)[0] ?? '';
  return `Cannot resolve keyword '${key}' into field. Choices are: ${['id', ...Object.keys(model.fields).filter((name) => !model.fields[name]!.secret && !model.fields[name]!.hidden && !model.fields[name]!.writeOnly)].sort().join(', ')}`;
};

export function notFoundText(reference: Reference): string {
  const attributes = 'id' in reference ? reference.written : reference.attributes;
  return attributes
    ? `Related object not found using the provided attributes: ${pythonText(flatten(attributes))}`
    : `Related object not found using the provided numeric ID: ${(reference as { id: number }).id}`;
}
