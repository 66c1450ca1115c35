import type { Pool } from 'pg';
import { columnName, type GivenFile, type Model, type Upload, type Values } from '@cadastre/model';
import { refuse } from '../core/errors.ts';
import { type Executor, rowsOf } from '../db/sql.ts';
import { isPathOf, pathFor } from './path.ts';
import type { MediaStore } from './store.ts';
import { mediaTypeOf } from './types.ts';

/** Files of a request by the text that stands for each in its body. */
export type GivenFiles = ReadonlyMap<string, GivenFile>;

/** How long a file may be there without its object: longer than any request takes. */
const ORPHAN_SECONDS = 3600;
/** How many files are removed at a time. */
const BATCH = 100;

export function uploadsOf(model: Model): readonly [field: string, upload: Upload][] {
  let known = uploads.get(model);
  if (!known)
    uploads.set(
      model,
      (known = Object.entries(model.fields).flatMap(([name, { upload }]): [string, Upload][] =>
        upload ? [[name, upload]] : [],
      )),
    );
  return known;
}
const uploads = new WeakMap<Model, readonly [field: string, upload: Upload][]>();

/**
 * The files of objects. A file is on the list of garbage (`media_removal`) from before it is written; the transaction that
 * stores its object takes it off, the one that removes or replaces it puts it back. So no crash leaves a file behind
 * for good, or an object without one.
 */
export class Files {
  readonly #store: MediaStore;
  readonly #pool: Pool;
  readonly #dropping = new WeakSet<object>();

  constructor(store: MediaStore, pool: Pool) {
    this.#store = store;
    this.#pool = pool;
  }

  get(path: string): ReturnType<MediaStore['get']> {
    return this.#store.get(path);
  }

  /**
   * Writes the files that objects were given, and fills in their paths and sizes. What was refused before is not
   * written.
   */
  async keep(
    model: Model,
    objects: { object: Values; given: Values }[],
    files: GivenFiles,
    executor: Executor,
  ): Promise<void> {
    const wanted = uploadsOf(model).flatMap(([field, upload]) =>
      objects.flatMap(({ object, given }) =>
        field in given ? [{ field, upload, object, file: files.get(String(given[field])) }] : [],
      ),
    );
    const puts: { path: string; bytes: Buffer }[] = [];
    for (const { field, upload, object, file } of wanted) {
      const image = file && !('problem' in file.image) ? file.image : undefined;
      const path = file && image ? await this.#pathOf(upload, object, file, image.extension) : '';
      object[field] = path;
      if (upload.width) object[upload.width] = image?.width ?? null;
      if (upload.height) object[upload.height] = image?.height ?? null;
      if (upload.bytes) object[upload.bytes] = image ? file!.bytes.length : null;
      if (file && path) puts.push({ path, bytes: file.bytes });
    }
    if (!puts.length) return;
    const paths = puts.map(({ path }) => path);
    await rowsOf(this.#pool, {
      text: `insert into media_removal (path, after) select path, now() + make_interval(secs => ${ORPHAN_SECONDS}) from unnest($1::text[]) path`,
      values: [paths],
    });
    try {
      await Promise.all(puts.map(({ path, bytes }) => this.#store.put(path, bytes, mediaTypeOf(path))));
    } catch (error) {
      throw Object.assign(refuse(503, 'The file could not be stored. Nothing was changed.', { 'Retry-After': '5' }), {
        cause: error,
      });
    }
    await rowsOf(executor, { text: 'delete from media_removal where path = any($1::text[])', values: [paths] });
  }

  /** A path that no file has: the one that the file had elsewhere, if it is free here. */
  async #pathOf(upload: Upload, object: Values, file: GivenFile, extension: string): Promise<string> {
    const wished = file.path !== undefined && isPathOf(upload, file.path, extension) ? file.path : undefined;
    if (wished === undefined || (await this.#isTaken(wished))) return pathFor(upload, object, file.name, extension);
    return wished;
  }

  async #isTaken(path: string): Promise<boolean> {
    const going = await rowsOf(this.#pool, { text: 'select path from media_removal where path = $1', values: [path] });
    if (going.length) return true;
    const there = await this.#store.get(path);
    there?.stream.destroy();
    return there !== undefined;
  }

  /** Whether the file at a path holds just these bytes. */
  async holds(path: string, bytes: Buffer): Promise<boolean> {
    const there = await this.#store.get(path);
    if (there?.size !== bytes.length) {
      there?.stream.destroy();
      return false;
    }
    return Buffer.concat(await there.stream.toArray()).equals(bytes);
  }

  /** Puts files on the list that objects no longer have. `columns` says where each column stands in a row. */
  async drop(
    changes: {
      model: Model;
      before: (string | null)[] | null;
      after: (string | null)[] | null;
      index: ReadonlyMap<string, number>;
    }[],
    executor: Executor,
  ): Promise<void> {
    const paths = changes.flatMap(({ model, before, after, index }) =>
      uploadsOf(model).flatMap(([field]) => {
        const at = index.get(columnName(field, model.fields[field]!))!;
        const path = before?.[at];
        return path && path !== after?.[at] ? [path] : [];
      }),
    );
    if (!paths.length) return;
    await rowsOf(executor, {
      text: 'insert into media_removal (path, after) select path, now() from unnest($1::text[]) path on conflict do nothing',
      values: [paths],
    });
    this.#dropping.add(executor);
  }

  /** Whether a transaction that has ended put files on the list. */
  dropped(executor: Executor): boolean {
    return this.#dropping.delete(executor);
  }

  /** Removes the files on the list. Several processes may do so at the same time. */
  async sweep(): Promise<void> {
    for (let removed = BATCH; removed === BATCH; ) {
      const client = await this.#pool.connect();
      try {
        await client.query('begin');
        const rows = await rowsOf(client, {
          text: `select path from media_removal where after <= now() order by after limit ${BATCH} for update skip locked`,
          values: [],
        });
        const paths = rows.map(([path]) => path!);
        await Promise.all(paths.map((path) => this.#store.remove(path)));
        await rowsOf(client, { text: 'delete from media_removal where path = any($1::text[])', values: [paths] });
        await client.query('commit');
        removed = paths.length;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    }
  }
}
