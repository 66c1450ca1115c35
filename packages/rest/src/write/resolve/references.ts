import type { Json, Model, Reference } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import { type Executor, idsIn, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { isRemote } from '../../serialize/related/remoteBriefs.ts';
import { fetchMissingMutual } from '../../replicas/fetch.ts';
import type { Requester } from '../../core/requester.ts';
import { keepAnswered } from '../../replicas/anyObjects.ts';
import { lockShared } from '../../db/locks.ts';
import { pipelined } from '../../db/transaction.ts';
import type { Item } from '../context/item.ts';
import { BRIEF, type Resolution, type Resolved } from '../../peers/peers.ts';
import { keepReplicas } from '../../replicas/replicas.ts';
import { notFoundText } from './attributes.ts';
import { guessIds, rememberAnswers } from './guess.ts';
import { resolveOwn } from './own.ts';

/** A place in an item where a reference is wanted. */
interface Place {
  item: Item;
  field: string;
  reference: Reference;
  done(id: number): void;
}

/** What references mean, as far as a transaction has found it out; the answers hold until it ends. */
export type Prefetched = Map<string, Resolved>;

/** Turns every reference of the items into an id, by one batch per type. Messages go into the items. */
export async function resolveReferences(
  engine: WriteEngine,
  model: Model,
  items: Item[],
  who: Requester,
  executor: Executor,
  known?: Prefetched,
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
  engine: WriteEngine,
  type: string,
  places: Place[],
  who: Requester,
  executor: Executor,
  known: Prefetched | undefined,
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
  engine: WriteEngine,
  type: string,
  references: Reference[],
  who: Requester,
  executor: Executor,
  known?: Prefetched,
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
  engine: WriteEngine,
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
  engine: WriteEngine,
  type: string,
  references: Reference[],
  who: Requester,
  executor: Executor,
): Promise<Resolved[]> {
  const { tables, catalogue, peers } = engine;
  const service = catalogue.serviceOf(type)!;
  const kept = tables.replicas.get(type);
  const told = tables.keepsAnyObject && isRemote(tables, catalogue.get(type));
  const columns = [...new Set([...(kept ?? ['id', '_version']), ...(told ? ['tags', BRIEF] : [])])];
  const ask = (wanted: Reference[]): Promise<Resolution> => peers.resolve(service, type, wanted, columns, who);
  const locked = new Set([
    ...references.flatMap((r) => ('id' in r ? [r.id] : [])),
    ...(await guessIds(engine, type, references, who, executor)),
  ]);
  // Read under the locks: read by the same statement, it would be as it was before another transaction released them.
  const lock = async (ids: readonly number[]): Promise<Map<number, number>> => {
    const [, versions] = await pipelined([
      lockShared(executor, type, [...ids]),
      kept && ids.length ? versionsOf(tables, type, ids, executor) : new Map<number, number>(),
    ]);
    return versions;
  };
  const versions = await lock([...locked]);
  let { results, rows } = await ask(references);
  const late = references.flatMap((_, i) => {
    const result = results[i]!;
    return 'id' in result && !locked.has(result.id) ? [result.id] : [];
  });
  if (late.length) {
    // The replica did not know these yet, so the locks came too late for the first answer: ask again under them.
    for (const [id, version] of await lock(late)) versions.set(id, version);
    const again = await ask(late.map((id) => ({ id })));
    const gone = new Set(late.filter((_, i) => 'error' in again.results[i]!));
    results = results.map((r, i) => ('id' in r && gone.has(r.id) ? { error: notFoundText(references[i]!) } : r));
    rows = [...rows.filter((r) => !late.includes(r.id)), ...again.rows];
  }
  if (kept) {
    await keepReplicas(
      tables,
      type,
      // An upsert of rows that are not newer would lock them against all other writers.
      rows.filter((row) => (versions.get(row.id) ?? -1) < row._version).map((row) => JSON.stringify(row)),
      executor,
    );
    await fetchMissingMutual(
      engine,
      type,
      rows.map(({ id }) => id),
      executor,
    );
  }
  if (told) await keepAnswered(type, rows, executor);
  rememberAnswers(engine, type, references, results, who);
  return results;
}

/** The versions in which the replica has objects. */
async function versionsOf(
  tables: Tables,
  type: string,
  ids: readonly number[],
  executor: Executor,
): Promise<Map<number, number>> {
  const rows = await rowsOf(executor, {
    text: `select id, _version from ${tables.nameOf(type)} where id = ${idsIn('$1')}`,
    values: [ids],
  });
  return new Map(rows.map(([id, version]) => [Number(id), Number(version)]));
}
