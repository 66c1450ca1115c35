import { type Batched, type Cell, type Model, typeId } from '@cadastre/model';
import { loadThroughCache } from '../../cache/loadThroughCache.ts';
import type { ReadContext } from './readContext.ts';
import type { Related } from '../writer.ts';
import { rowsOf } from '../../db/sql.ts';

/** What is remembered of one object's value: text that is ready, or the objects that it is linked with. */
export type Links = readonly { type: string; id: string }[];

/** How many characters of the texts of one field a process keeps. */
const MAX_TEXT = 8_000_000;

/** JSON texts of a batched field, by id of the object. */
export const batchedTexts = (
  readContext: ReadContext,
  model: Model,
  key: string,
  batch: Batched,
  ids: readonly string[],
): Promise<Map<string, string>> =>
  valuesOf<string>(
    readContext,
    model,
    key,
    batch,
    ids,
    (rows) => batch.print!(rows),
    batch.empty,
    (text) => text.length + 1,
  );

/** The objects that a linked field shows, by id of the object that it belongs to. */
export const batchedLinks = (
  readContext: ReadContext,
  model: Model,
  key: string,
  batch: Batched,
  ids: readonly string[],
): Promise<Map<string, Links>> =>
  valuesOf<Links>(
    readContext,
    model,
    key,
    batch,
    ids,
    (rows) =>
      rows
        .slice(0, batch.links!.many ? undefined : 1 + (batch.links!.members?.length ?? 0))
        .flatMap(([type, id]) => (type && id ? [{ type, id }] : [])),
    [],
    (links) => 100 * (links.length + 1),
  );

/** One statement for what is not remembered. */
async function valuesOf<V extends {}>(
  readContext: ReadContext,
  model: Model,
  key: string,
  { from, fresh, sql }: Batched,
  ids: readonly string[],
  make: (rows: Cell[][]) => V,
  none: V,
  size: (value: V) => number,
): Promise<Map<string, V>> {
  const { tables, cache, executor } = readContext;
  if (!from.every((type) => tables.has(type))) return new Map();
  const load = async (missing: string[]) => {
    const rows = await rowsOf(executor, {
      text: sql({ tableOf: (type) => tables.nameOf(type), has: (type) => tables.has(type), typeId }),
      values: [missing],
    });
    const byId = Map.groupBy(rows, ([id]) => id!);
    return new Map(
      missing.map((id) => {
        const own = byId.get(id);
        return [id, own ? make(own.map((cells) => cells.slice(1))) : none];
      }),
    );
  };
  if (fresh) return load([...new Set(ids)]);
  return loadThroughCache(
    readContext,
    key,
    cache.region<V>(key, new Set([model.name, ...from]), { most: MAX_TEXT, of: size }),
    ids,
    load,
    { bypass: true },
  );
}

/** JSON text of the objects that a linked field shows, or undefined when there are none. */
export function linksText({ links }: Batched, found: Links | undefined, related: Related): string | undefined {
  if (!links || !found?.length) return undefined;
  const texts = found.map(({ type, id }) => related.brief(type, links.form, id));
  if (links.many) return `[${texts.filter((text) => text !== 'null').join(',')}]`;
  const [first, ...inside] = texts;
  if (!links.members || first === 'null') return first;
  return `${first!.slice(0, -1)}${links.members.map((name, i) => `,${JSON.stringify(name)}:${inside[i] ?? 'null'}`).join('')}}`;
}
