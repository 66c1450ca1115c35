import {
  type Column,
  type Dict,
  isDict,
  type Json,
  type Model,
  pythonText,
  quote,
  type Reference,
  typeId,
} from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { Binder, type Executor, rowsOf } from '../../query/sql.ts';
import type { Tables } from '../../query/tables.ts';
import { isTold } from '../../query/told.ts';
import { pullBehind } from '../../replicas/pull.ts';
import {
  allowed,
  allowedSql,
  attributesSql,
  ConstraintError,
  type Requester,
  UnfitValue,
} from '../../plan/permissions.ts';
import { keepAnswered } from './anyObjects.ts';
import { lockShared } from '../store/locks.ts';
import type { Item } from '../parse/parse.ts';
import { BRIEF, type ReplicaRow, type Resolution, type Resolved } from './peers.ts';
import { keepReplicas } from './replicas.ts';
import { storedValue } from '../store/values.ts';

/** Statements that look attributes up are put together in groups of this many. */
const GROUP = 200;

/** A lookup that has its own say on how long it takes. */
const PATTERN = /__i?regex$/;

/** A place in an item where a reference is wanted. */
interface Place {
  item: Item;
  field: string;
  reference: Reference;
  done(id: number): void;
}

/** What references mean, as far as a transaction has found it out: what it was told holds until it ends. */
export type Known = Map<string, Resolved>;

/** Turns every reference of the items into an id, by one batch per type. Messages go into the items. */
export async function resolveReferences(
  engine: Engine,
  model: Model,
  items: Item[],
  who: Requester,
  executor: Executor,
  known?: Known,
): Promise<void> {
  const byType = new Map<string, Place[]>();
  const want = (type: string, place: Place) => {
    const list = byType.get(type);
    if (list) list.push(place);
    else byType.set(type, [place]);
  };
  for (const item of items) {
    for (const [field, references] of item.references) {
      const { relation, reverse } = model.fields[field]!;
      const many = relation ? relation.many : true;
      const type = relation?.to ?? reverse!.from;
      if (many) item.values[field] = [];
      for (const reference of references) {
        want(type, {
          item,
          field,
          reference,
          done: (id) => {
            if (many) (item.values[field] as Json[]).push(id);
            else item.values[field] = id;
          },
        });
      }
    }
    for (const [field, references] of [
      ['add_tags', item.addTags],
      ['remove_tags', item.removeTags],
    ] as const) {
      item.references.delete(field);
      for (const [i, reference] of references.entries())
        want('extras.tag', {
          item,
          field,
          reference,
          done: (id) => {
            references[i] = { id };
          },
        });
    }
  }
  for (const [type, places] of byType) await resolvePlaces(engine, type, places, who, executor, known);
  for (const item of items)
    for (const field of item.references.keys())
      if (Array.isArray(item.values[field])) item.values[field] = [...new Set(item.values[field])];
}

async function resolvePlaces(
  engine: Engine,
  type: string,
  places: Place[],
  who: Requester,
  executor: Executor,
  known: Known | undefined,
): Promise<void> {
  const distinct = new Map<string, Reference>();
  const keys = places.map(({ reference }) => JSON.stringify(reference));
  for (const [i, { reference }] of places.entries()) distinct.set(keys[i]!, reference);
  const references = [...distinct.values()];
  const results = await resolve(engine, type, references, who, executor, known);
  const byKey = new Map([...distinct.keys()].map((key, i) => [key, results[i]!]));
  // A client may send very many references in one field, so nothing here searches lists.
  const wrong = new Map<Item, Map<string, Set<string>>>();
  for (const [i, { item, field, done }] of places.entries()) {
    const result = byKey.get(keys[i]!)!;
    if ('id' in result) {
      done(result.id);
      continue;
    }
    const fields = wrong.get(item) ?? new Map<string, Set<string>>();
    wrong.set(item, fields.set(field, (fields.get(field) ?? new Set<string>()).add(result.error)));
  }
  for (const [item, fields] of wrong)
    for (const [field, messages] of fields)
      item.errors[field] = [...((item.errors[field] as string[] | undefined) ?? []), ...messages];
}

/** What references to objects of a type mean, wherever they are. */
export async function resolve(
  engine: Engine,
  type: string,
  references: Reference[],
  who: Requester,
  executor: Executor,
  known?: Known,
): Promise<Resolved[]> {
  if (!known) return lookFor(engine, type, references, who, executor);
  const keys = references.map((reference) => `${type} ${JSON.stringify(reference)}`);
  const unknown = [...new Map(references.map((reference, i) => [keys[i]!, reference]))].filter(
    ([key]) => !known.has(key),
  );
  const found = unknown.length
    ? await lookFor(
        engine,
        type,
        unknown.map(([, reference]) => reference),
        who,
        executor,
      )
    : [];
  for (const [i, [key]] of unknown.entries()) known.set(key, found[i]!);
  return keys.map((key) => known.get(key)!);
}

async function lookFor(
  engine: Engine,
  type: string,
  references: Reference[],
  who: Requester,
  executor: Executor,
): Promise<Resolved[]> {
  const { tables, catalogue } = engine;
  if (!catalogue.has(type)) return references.map((r) => ({ error: notFoundText(r) }));
  if (tables.owns(type)) return resolveOwn(tables, type, references, who, executor);
  return resolveElsewhere(engine, type, references, who, executor);
}

/**
 * Asks the owner. The advisory locks are held from before the owner says that an object exists until this transaction
 * ends; an owner that wants to delete one waits for them (see `remove/remove.ts`). What the owner answered goes into
 * the replica at once, so that a client reads what it wrote.
 */
async function resolveElsewhere(
  engine: Engine,
  type: string,
  references: Reference[],
  who: Requester,
  executor: Executor,
): Promise<Resolved[]> {
  const { tables, catalogue, peers } = engine;
  const service = catalogue.serviceOf(type)!;
  const kept = tables.replicas.get(type);
  const told = tables.keepsAnyObject && isTold(tables, catalogue.get(type));
  const columns = [...new Set([...(kept ?? ['id', '_version']), ...(told ? ['tags', BRIEF] : [])])];
  const ask = (wanted: Reference[]): Promise<Resolution> => peers.resolve(service, type, wanted, columns, who);
  const locked = new Set([
    ...references.flatMap((r) => ('id' in r ? [r.id] : [])),
    ...(await guess(tables, type, references, who, executor)),
  ]);
  await lockShared(executor, type, [...locked]);
  let { results, rows } = await ask(references);
  const late = references.flatMap((_, i) => {
    const result = results[i]!;
    return 'id' in result && !locked.has(result.id) ? [result.id] : [];
  });
  if (late.length) {
    // The replica did not know these yet, so the locks came too late for the first answer: ask again under them.
    await lockShared(executor, type, late);
    const again = await ask(late.map((id) => ({ id })));
    const gone = new Set(late.filter((_, i) => 'error' in again.results[i]!));
    results = results.map((r, i) => ('id' in r && gone.has(r.id) ? { error: notFoundText(references[i]!) } : r));
    rows = [...rows.filter((r) => !late.includes(r.id)), ...again.rows];
  }
  if (kept) {
    await keepReplicas(
      tables,
      type,
      (await newer(tables, type, rows, executor)).map((row) => JSON.stringify(row)),
      executor,
    );
    await pullBehind(
      engine,
      type,
      rows.map(({ id }) => id),
      executor,
    );
  }
  if (told) await keepAnswered(type, rows, executor);
  return results;
}

/**
 * Ids that attributes probably mean, from the replica: only to take the right locks before the owner is asked. Looked
 * for among what the requester may view like anything else, as how long it takes would tell of the rest.
 */
async function guess(
  tables: Tables,
  type: string,
  references: Reference[],
  who: Requester,
  executor: Executor,
): Promise<number[]> {
  const wanted = references.flatMap((r, i) => ('attributes' in r ? [{ i, attributes: r.attributes }] : []));
  if (!wanted.length || !tables.replicas.has(type)) return [];
  const results: Resolved[] = references.map(() => ({ error: '' }));
  for (let at = 0; at < wanted.length; at += GROUP)
    await lookUp(tables, tables.catalogue.get(type), wanted.slice(at, at + GROUP), who, executor, results);
  return results.flatMap((r) => ('id' in r ? [r.id] : []));
}

/**
 * Rows that the replica does not have in that version. An upsert of the others would lock them against all other
 * writers.
 */
async function newer(tables: Tables, type: string, rows: ReplicaRow[], executor: Executor): Promise<ReplicaRow[]> {
  if (!rows.length) return rows;
  const known = new Map(
    (
      await rowsOf(executor, {
        text: `select id, _version from ${tables.nameOf(type)} where id = any($1::bigint[])`,
        values: [rows.map((r) => r.id)],
      })
    ).map(([id, version]) => [Number(id), Number(version)]),
  );
  return rows.filter((row) => (known.get(row.id) ?? -1) < row._version);
}

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
      text: `select t.id from ${tables.nameOf(type)} t where t.id = any($1::bigint[]) and ${present(2)} order by t.id for key share`,
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
      text: `select ${list} from ${tables.nameOf(type)} t where t.id = any($1::bigint[]) and ${present(2)} order by t.id for key share`,
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
  const byAttributes = references.flatMap((r, i) => ('attributes' in r ? [{ i, attributes: r.attributes }] : []));
  for (let at = 0; at < byAttributes.length; at += GROUP)
    await lookUp(tables, model, byAttributes.slice(at, at + GROUP), who, executor, results);
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

async function lookUp(
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

function notFoundText(reference: Reference): string {
  const attributes = 'id' in reference ? reference.written : reference.attributes;
  return attributes
    ? `Related object not found using the provided attributes: ${pythonText(flatten(attributes))}`
    : `Related object not found using the provided numeric ID: ${(reference as { id: number }).id}`;
}
