import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Catalogue, type Dict, isDict, type Json, type Model } from '@cadastre/model';
import { pointersOf, sentFields } from '../mapping/sent.ts';
import type { Outcome } from '../target.ts';

interface Kept {
  object: Dict;
  imported: boolean;
}

export interface FakeTarget {
  base: string;
  /** The stored objects, by type and id. */
  objects(type: string): Map<number, Kept>;
  /** The requests that wrote: method, path, number of objects. */
  asked: string[];
  close(): Promise<void>;
}

export interface FakeTargetOptions {
  catalogue: Catalogue;
  token: string;
  /** The objects that are stored from the beginning, by type. */
  objects?: Record<string, Dict[]>;
  /** Answers a request instead, if it returns true. */
  instead?(request: IncomingMessage, response: ServerResponse, body: string): boolean;
}

/**
 * A target in memory that has nothing but the import API: it stores objects with their ids, and refuses dangling
 * references, duplicates of unique values, and an id that another object has.
 */
export async function startFakeTarget({
  catalogue,
  token,
  objects = {},
  instead = () => false,
}: FakeTargetOptions): Promise<FakeTarget> {
  const kept = new Map<string, Map<number, Kept>>();
  const of = (type: string): Map<number, Kept> => {
    const there = kept.get(type) ?? new Map<number, Kept>();
    kept.set(type, there);
    return there;
  };
  for (const [type, list] of Object.entries(objects))
    for (const object of list) of(type).set(Number(object['id']), { object, imported: false });
  const asked: string[] = [];
  const byPath = new Map([...catalogue.models.values()].map((model) => [`${model.app}/${model.path}`, model]));

  const has = (type: string, id: Json | undefined): boolean =>
    id === undefined || id === null || of(type).has(Number(id));

  function missingIn(model: Model, object: Dict): Record<string, string[]> {
    const errors: Record<string, string[]> = {};
    for (const [name, field] of sentFields(model)) {
      const value = object[name];
      if (value === undefined || !field.relation || field.relation.form === 'key') continue;
      for (const id of Array.isArray(value) ? value : [value])
        if (!has(field.relation.to, id)) errors[name] = [`there is no ${field.relation.to} ${String(id)}`];
    }
    for (const { typeField, idField, outlives } of pointersOf(model))
      if (!outlives && typeof object[typeField] === 'string' && !has(object[typeField], object[idField]))
        errors[idField] = [`there is no ${object[typeField]} ${String(object[idField])}`];
    return errors;
  }

  const uniques = (model: Model): string[] =>
    Object.entries(model.fields).flatMap(([name, { column }]) => (column?.unique ? [name] : []));

  /** The object that has a value of a unique field. */
  const values = new Map<string, Map<Json, number>>();
  function taken(type: string, name: string): Map<Json, number> {
    const key = `${type} ${name}`;
    let known = values.get(key);
    if (!known) values.set(key, (known = new Map([...of(type)].map(([id, { object }]) => [object[name] ?? null, id]))));
    return known;
  }

  function store(model: Model, given: Dict, dryRun: boolean): Outcome {
    const id = Number(given['id']);
    const there = of(model.name).get(id);
    const same = (name: string): boolean => there?.object[name] === given[name];
    if (there && !there.imported && !uniques(model).some(same))
      return { id, outcome: 'refused', errors: { id: ['another object has this id'] } };
    const errors = dryRun ? {} : missingIn(model, given);
    for (const name of uniques(model))
      if (given[name] && (taken(model.name, name).get(given[name]) ?? id) !== id) errors[name] = ['is taken'];
    if (Object.keys(errors).length) return { id, outcome: 'refused', errors };
    const notes = typeof given['mtu'] === 'number' && given['mtu'] < 68 ? { notes: { mtu: ['is too small'] } } : {};
    if (there && isIn(given, there.object)) return { id, outcome: 'unchanged', ...notes };
    if (!dryRun)
      for (const name of uniques(model)) {
        if (given[name] === undefined) continue;
        if (there) taken(model.name, name).delete(there.object[name] ?? null);
        taken(model.name, name).set(given[name] ?? null, id);
      }
    if (!dryRun) of(model.name).set(id, { object: merged(there?.object ?? {}, given), imported: true });
    return { id, outcome: there ? 'updated' : 'created', ...notes };
  }

  function remove(model: Model, id: number): Outcome {
    const users = catalogue
      .incoming(model.name)
      .filter(({ field, model: other }) => other.fields[field]!.relation)
      .some(({ field, model: other }) => [...of(other.name).values()].some(({ object }) => object[field] === id));
    if (users || !of(model.name).get(id)?.imported) return { id, outcome: 'refused', errors: { id: ['is in use'] } };
    for (const name of uniques(model)) taken(model.name, name).delete(of(model.name).get(id)!.object[name] ?? null);
    of(model.name).delete(id);
    return { id, outcome: 'deleted' };
  }

  function answer(method: string, model: Model, query: URLSearchParams, body: Dict): Dict {
    if (method === 'POST') {
      const given = body['objects'] as Dict[];
      const named = Map.groupBy(given, ({ id }) => id);
      const results = given.map(
        (one): Outcome =>
          named.get(one['id']!)!.length === 1
            ? store(model, one, body['dry_run'] === true)
            : { id: Number(one['id']), outcome: 'refused', errors: { id: ['is named more than once'] } },
      );
      return { results: results as unknown as Json };
    }
    if (method === 'DELETE')
      return { results: (body['ids'] as number[]).map((id) => remove(model, id)) as unknown as Json };
    const limit = Number(query.get('limit'));
    const found = [...of(model.name)].filter(([id]) => id > Number(query.get('after'))).toSorted(([a], [b]) => a - b);
    const page = found.slice(0, limit).map(([id, { imported }]) => ({ id, imported }));
    return { results: page, next: found.length > limit ? page.at(-1)!.id : null };
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      if (instead(request, response, text)) return;
      const { pathname, searchParams } = new URL(request.url!, 'http://any');
      const [, path, atImportApi] = /^\/api\/([^/]+\/[^/]+)\/(import\/)?$/.exec(pathname) ?? [];
      const model = byPath.get(path ?? '');
      const send = (status: number, what: Dict): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(what));
      };
      if (request.headers.authorization !== `Token ${token}`) return send(403, { detail: 'Invalid token.' });
      if (!model) return send(404, { detail: 'Not found.' });
      if (!atImportApi) {
        const ids = searchParams.getAll('id').map(Number);
        return send(200, { results: ids.flatMap((id) => of(model.name).get(id)?.object ?? []) });
      }
      const body = text ? (JSON.parse(text) as Dict) : {};
      if (request.method !== 'GET' && body['dry_run'] !== true)
        asked.push(`${request.method} ${path} ${((body['objects'] ?? body['ids']) as Json[]).length}`);
      send(200, answer(request.method!, model, searchParams, body));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: of,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Whether an object already has the given values; dictionaries are merged, so a part of one is enough. */
const isIn = (given: Json, there: Json | undefined): boolean =>
  isDict(given) && isDict(there)
    ? Object.entries(given).every(([name, value]) => isIn(value, there[name]))
    : JSON.stringify(given) === JSON.stringify(there);

/** Values of custom fields that are not named stay. */
const merged = (there: Dict, given: Dict): Dict => ({
  ...there,
  ...given,
  ...(isDict(given['custom_fields'])
    ? { custom_fields: { ...(there['custom_fields'] as Dict), ...given['custom_fields'] } }
    : {}),
});
