import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { columnName, type Model, quote } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { Refusal, refuse } from '../../core/errors.ts';
import { allowedSql } from '../../visibility/permissions.ts';
import type { Requester } from '../../core/requester.ts';
import { Binder, rowsOf } from '../../db/sql.ts';
import { MEDIA } from '../../serialize/writer.ts';
import { uploadsOf } from '../../media/files.ts';
import { mediaTypeOf } from '../../media/types.ts';

export interface FileResponse {
  status: number;
  headers: Record<string, string>;
  body: Readable | string;
}

/**
 * Browsers show the file as its declared type or not at all: nothing in it runs, no type is guessed, and shared caches
 * do not keep it.
 */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, max-age=3600, immutable',
};

/** The file at a path below `/media/`, for a requester who may see the object that it belongs to. */
export async function serveFile(
  engine: Engine,
  request: { method: string; path: string; who: Requester },
): Promise<FileResponse> {
  const { method, who } = request;
  const path = request.path.slice(MEDIA.length);
  try {
    if (method !== 'GET' && method !== 'HEAD')
      throw refuse(405, `Method "${method}" not allowed.`, { Allow: 'GET, HEAD' });
    if (!(await isVisible(engine, path, who))) throw refuse(404, 'Not found.');
    const file = await engine.files?.get(path);
    if (!file) throw refuse(404, 'Not found.');
    if (method === 'HEAD') file.stream.destroy();
    return {
      status: 200,
      headers: {
        ...SAFE,
        'Content-Type': mediaTypeOf(path),
        'Content-Length': String(file.size),
        'Content-Disposition': `inline; filename="${basename(path)}"`,
      },
      body: method === 'HEAD' ? '' : file.stream,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      status: error.status,
      headers: { ...error.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(error.body),
    };
  }
}

/** Whether there is an object with this file that the requester may see. A file that belongs to no object is served to nobody. */
async function isVisible(engine: Engine, path: string, who: Requester): Promise<boolean> {
  for (const [model, field] of holdersOf(engine, path.split('/')[0]!)) {
    const binder = new Binder();
    const is = `t.${quote(columnName(field, model.fields[field]!))} = ${binder.bind(path)}`;
    const permission = allowedSql(engine.tables, model, 'view', who, binder);
    if (permission === false) continue;
    if (
      (
        await rowsOf(engine.pool, {
          text: `select 1 from ${engine.tables.nameOf(model.name)} t where ${is}${permission ? ` and ${permission}` : ''} limit 1`,
          values: binder.values,
        })
      ).length
    )
      return true;
  }
  return false;
}

const holdersOf = ({ catalogue, tables }: Engine, folder: string): [Model, string][] =>
  catalogue
    .ownedBy(tables.service)
    .flatMap((model) =>
      uploadsOf(model).flatMap(([field, upload]): [Model, string][] =>
        upload.folder === folder ? [[model, field]] : [],
      ),
    );
