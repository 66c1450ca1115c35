import { type Json, invalidating, typeId } from '@cadastre/model';
import { briefTexts } from '../serialize/related/related.ts';
import type { ReadContext } from '../serialize/related/readContext.ts';
import { type Executor, rowsOf } from '../db/sql.ts';
import { noteFetched } from '../peers/fetched.ts';
import { hasNoTombstone } from './tombstones.ts';
import { BRIEF, type ReplicaRow } from '../peers/peers.ts';

/** An object of any type, as it is kept for relations that may point at it. */
export interface AnyObject {
  type: number;
  id: number;
  version: number;
  display: string;
  brief: { [member: string]: Json | undefined };
  tags: number[];
}

/**
 * Puts objects where those of any type are kept, if they are newer than what is there and were not seen deleted. One
 * statement.
 */
export async function storeAnyObjects(objects: readonly AnyObject[], executor: Executor): Promise<void> {
  if (!objects.length) return;
  noteFetched(executor);
  await rowsOf(executor, {
    text: `with kept as (
      insert into replica.any_object as t (type, id, version, display, brief, tags)
      select distinct on (r.type, r.id) r.type, r.id, r.version, r.display, r.brief, r.tags from jsonb_to_recordset($1::jsonb) as r(type integer, id bigint, version integer, display text, brief jsonb, tags bigint[]) where ${hasNoTombstone('r.type', 'r.id')} order by r.type, r.id, r.version desc
      on conflict (type, id) do update set version = excluded.version, display = excluded.display, brief = excluded.brief, tags = excluded.tags where t.version < excluded.version
      returning type, id
    ) ${invalidating('select type, id from kept')}`,
    values: [JSON.stringify(objects)],
  });
}

/** Adds the brief forms to rows that somebody asked for. */
export async function addBriefs(readContext: ReadContext, type: string, rows: readonly ReplicaRow[]): Promise<void> {
  const briefs = await briefTexts(
    readContext,
    type,
    rows.map(({ id }) => String(id)),
  );
  for (const row of rows) {
    const text = briefs.get(String(row.id));
    if (text) row[BRIEF] = JSON.parse(text) as Json;
  }
}

/**
 * Keeps what owners answered, where it is not known in that version: a client reads what it wrote, although the event
 * is still on its way.
 */
export async function keepAnswered(type: string, rows: readonly ReplicaRow[], executor: Executor): Promise<void> {
  if (!rows.length) return;
  const known = new Map(
    (
      await rowsOf(executor, {
        text: 'select id, version from replica.any_object where type = $1 and id = any($2::bigint[])',
        values: [typeId(type), rows.map(({ id }) => id)],
      })
    ).map(([id, version]) => [Number(id), Number(version)]),
  );
  const objects = rows.flatMap((row): AnyObject[] => {
    const brief = row[BRIEF] as AnyObject['brief'] | undefined;
    if (!brief || (known.get(row.id) ?? -1) >= row._version) return [];
    return [
      {
        type: typeId(type),
        id: row.id,
        version: row._version,
        display: String(brief['display'] ?? ''),
        brief,
        tags: (row['tags'] ?? []) as number[],
      },
    ];
  });
  await storeAnyObjects(objects, executor);
}
