import {
  columnName,
  difference,
  isDict,
  type Json,
  type Model,
  placeOf,
  quote,
  type Seal,
  type Values,
  wantedRows,
} from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { WriteEngine } from '../../write/context/engine.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Draft } from '../../write/context/draft.ts';
import { rowColumns } from '../../write/store/store.ts';
import { indexOf, valuesOf } from '../../db/values.ts';

/** Encrypting the same value gives another text every time; a secret with the same value keeps its stored text. */
export function keepUnchangedSecrets(model: Model, drafts: readonly Draft[], seal: Seal | undefined): void {
  if (!seal) return;
  for (const [name, { sealed }] of Object.entries(model.fields)) {
    if (!sealed) continue;
    const same = isSameSecret(seal, placeOf(model.name, name));
    for (const { object, before } of drafts) {
      const [now, then] = [object[name] ?? null, before?.[name] ?? null];
      if (isDict(now) && isDict(then))
        object[name] = Object.fromEntries(
          Object.entries(now).map(([key, value]) => [key, same(value, then[key]) ? then[key]! : value]),
        );
      else if (same(now, then)) object[name] = then;
    }
  }
}

const isSameSecret =
  (seal: Seal, place: string) =>
  (now: Json, then: Json | undefined): boolean => {
    if (typeof now !== 'string' || typeof then !== 'string' || !now || !then) return false;
    const plain = (text: string): string => (seal.state(text) === 'open' ? text : seal.open(text, place));
    return plain(now) === plain(then);
  };

/** Objects whose rows of lists differ from the stored ones, although nothing else about them may have changed. */
export async function withChangedRows(
  engine: WriteEngine,
  model: Model,
  drafts: readonly Draft[],
  client: PoolClient,
): Promise<number[]> {
  const ids = new Set<number>();
  for (const [name, { owned: list }] of Object.entries(model.fields)) {
    const given = list ? drafts.filter(({ item }) => Array.isArray(item.values[name])) : [];
    if (!list || !given.length) continue;
    const part = list.from;
    const index = indexOf(rowColumns(part));
    const cells = await rowsOf(client, {
      text: `select ${rowColumns(part).map(quote).join(', ')} from ${engine.tables.nameOf(part.name)} where ${quote(columnName(list.field, part.fields[list.field]!))} = any($1::bigint[])`,
      values: [given.map(({ item }) => item.id)],
    });
    const there = Map.groupBy(
      cells.map((row) => valuesOf(part, index, row)),
      (row) => row[list.field],
    );
    for (const { item, object } of given) {
      const rows = (there.get(item.id!) ?? []).filter((row) =>
        Object.entries(list.where).every(([key, value]) => row[key] === value),
      );
      const { gone, made } = difference(rows, wantedRows(list, item.values[name] as Values[], object));
      if (gone.length || made.length) ids.add(item.id!);
    }
  }
  return [...ids];
}
