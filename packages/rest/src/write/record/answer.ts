import { mapPaced } from '@cadastre/body';
import type { Cell, Model } from '@cadastre/model';
import { loadRelated } from '../../serialize/related/related.ts';
import type { ReadContext } from '../../serialize/related/readContext.ts';
import { etagOf } from '../../serialize/etag.ts';
import type { Draft } from '../context/draft.ts';
import { forWriter, shapesOf } from './record.ts';

/** The answer to a request about the objects that it has written: their JSON, the ETag of the first, and their ids. */
export interface WriteAnswer {
  texts: string[];
  etag: string | undefined;
  ids: number[];
}

/**
 * The answers to requests whose objects were written together.
 * @param drafts of all objects, in the order of their rows
 * @param parts the rows of each request, as they are in the end
 */
export async function renderAnswers(
  readContext: ReadContext,
  model: Model,
  drafts: readonly Draft[],
  parts: readonly Cell[][][],
  base: string,
): Promise<WriteAnswer[]> {
  const shape = shapesOf(readContext, model).answer;
  const cells = parts.flat().map((row) => forWriter(shape, row));
  const around = (await loadRelated(readContext, model, shape.writer, cells))(base);
  const once = Object.entries(model.fields)
    .filter(([, f]) => f.onlyWhenCreated)
    .map(([name]) => name);
  const textAt = (i: number): string => {
    const text = shape.writer.print(cells[i]!, around);
    const { object, before } = drafts[i]!;
    return once.length && !before
      ? JSON.stringify({
          ...(JSON.parse(text) as object),
          ...Object.fromEntries(once.map((name) => [name, object[name] ?? null])),
        })
      : text;
  };
  const texts = await mapPaced(cells, (_, i) => textAt(i));
  let at = 0;
  return parts.map((rows) => ({
    texts: texts.slice(at, (at += rows.length)),
    etag: rows[0] && etagOf(model, shape.columns, rows[0]),
    ids: rows.map((row) => Number(row[0])),
  }));
}
