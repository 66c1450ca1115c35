import { type Column, type Dict, isDict, type Model, pythonText, quote, type Reference, typeId } from '@cadastre/model';
import { Binder, type Executor, idsIn, rowsOf } from '../../query/sql.ts';
import type { Tables } from '../../query/tables.ts';
import {
  allowed,
  allowedSql,
  attributesSql,
  ConstraintError,
  type Requester,
  UnfitValue,
} from '../../plan/permissions.ts';
import { storedValue } from '../store/values.ts';
import type { ReplicaRow, Resolution, Resolved } from './peers.ts';

/** Statements that look attributes up are put together in groups of this many. */
const GROUP = 200;

/** A lookup that has its own say on how long it takes. */
const PATTERN = /__i?regex$/;

/**
 * What references to objects of this service mean. Rows that are found stay locked against deletion until the
 * transaction ends.
 */
export async function resolveOwn(
  tables: Tables,
  type: string,
  references: Reference[],
  who: Requester,
  executor: Executor,
): Promise<Resolved[]> {
  return find(tables, type, references, who, executor, async (ids) => {
    const rows = await rowsOf(executor, {
      text: `select t.id from ${tables.nameOf(type)} t where t.id = ${idsIn('$1')} and ${present(2)} order by t.id for key share`,
      values: [ids, typeId(type)],
    });
    return rows.map(([id]) => Number(id));
  });
}

/** The same for another service, with the rows that it keeps. What protects them is the lock that it holds itself. */
export async function resolveFor(
  tables: Tables,
  type: string,
  references: Reference[],
  columns: Column[],
  who: Requester,
  executor: Executor,
): Promise<Resolution> {
  let rows: ReplicaRow[] = [];
  const results = await find(tables, type, references, who, executor, async (ids) => {
    const list = columns.map((c) => `t.${quote(c.name)}`).join(', ');
    // The lock lasts no longer than the statement: it waits for a deletion that is being carried out, and sees what
    // became of it.
    const found = await rowsOf(executor, {
      text: `select ${list} from ${tables.nameOf(type)} t where t.id = ${idsIn('$1')} and ${present(2)} order by t.id for key share`,
      values: [ids, typeId(type)],
    });
    rows = found.map(
      (cells) =>
        Object.fromEntries(columns.map((c, i) => [c.name, storedValue(c.type, cells[i] ?? null)])) as ReplicaRow,
    );
    return rows.map((row) => row.id);
  });
  return { results, rows };
}

/** That a row is not about to be deleted. */
const present = (type: number): string =>
  `not exists (select 1 from being_deleted d where d.type = $${type} and d.id = t.id and d.until > now())`;

/** Turns references into ids, and asks which of them are there. */
async function find(
  tables: Tables,
  type: string,
  references: Reference[],
  who: Requester,
  executor: Executor,
  there: (ids: number[]) => Promise<number[]>,
): Promise<Resolved[]> {
  const model = tables.catalogue.get(type);
  const results: Resolved[] = references.map((r) => ({ error: notFoundText(r) }));
  await lookUp(tables, model, references, who, executor, results);
  const ids = references.map((r, i) => {
    const result = results[i]!;
    return 'id' in r ? r.id : 'id' in result ? result.id : undefined;
  });
  const wanted = [...new Set(ids.filter((id) => id !== undefined))];
  const found = new Set(wanted.length ? await there(wanted) : []);
  return results.map((result, i) => {
    const id = ids[i];
    return id === undefined ? result : found.has(id) ? { id } : { error: notFoundText(references[i]!) };
  });
}

/**
 * Puts into `results` which objects the attributes mean, or why none, for those references that are made by attributes.
 */
export async function lookUp(
  tables: Tables,
  model: Model,
  references: readonly Reference[],
  who: Requester,
  executor: Executor,
  results: Resolved[],
): Promise<void> {
  const wanted = references.flatMap((r, i) => ('attributes' in r ? [{ i, attributes: r.attributes }] : []));
  for (let at = 0; at < wanted.length; at += GROUP)
    await lookUpGroup(tables, model, wanted.slice(at, at + GROUP), who, executor, results);
}

async function lookUpGroup(
  tables: Tables,
  model: Model,
  wanted: { i: number; attributes: Dict }[],
  who: Requester,
  executor: Executor,
  results: Resolved[],
): Promise<void> {
  if (allowed(who.grants, 'view', model.name) === false) return;
  const binder = new Binder();
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
        `(select ${i}::int, t.id from ${tables.nameOf(model.name)} t where ${condition}${permission ? ` and ${permission}` : ''} limit 2)`,
      );
    } catch (error) {
      if (!(error instanceof ConstraintError)) throw error;
      // A value that no object can have matches none.
      if (!(error instanceof UnfitValue)) results[i] = { error: unknownKeyword(model, attributes, error) };
    }
  }
  if (!parts.length) return;
  const rows = await rowsOf(executor, { text: parts.join(' union all '), values: binder.values });
  const found = new Map<number, string[]>();
  for (const [i, id] of rows) found.set(Number(i), [...(found.get(Number(i)) ?? []), id!]);
  for (const { i, attributes } of wanted) {
    const ids = found.get(i);
    if (ids?.length === 1) results[i] = { id: Number(ids[0]) };
    else if (ids)
      results[i] = { error: `Multiple objects match the provided attributes: ${pythonText(flatten(attributes))}` };
  }
}

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
