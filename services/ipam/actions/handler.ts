import { readQuery } from '@cadastre/body';
import type { PoolClient } from 'pg';
import { type Cell, isDict, type Json, type Model, type Schema } from '@cadastre/model';
import {
  type ActionHandler,
  type ApiRequest,
  type ApiResponse,
  allowed,
  arrayOf,
  bulkOf,
  contextOf,
  create,
  detail,
  type Engine,
  type Executor,
  freeForm,
  notPermitted,
  oneOrMore,
  parameter,
  parseQuery,
  Refusal,
  refuse,
  rowsOf,
  whole,
} from '@cadastre/rest';
import { locked } from '../models/locks.ts';

/** Asks the database. */
export type Read = (text: string, values: unknown[]) => Promise<Cell[][]>;

/** An object as the API shows it. */
export type Shown = Record<string, Json>;

/** A parent that hands out what is free in it. `Free` is the form in which one free item is kept. */
export interface Pool<Free> {
  parent: Model;
  child: Model;
  /** The fields of the parent that are needed. */
  fields: string[];
  /** Further types, besides that of the parent, whose objects decide what is free. */
  types: string[];
  /** The free items in order, at most `most`. */
  free(parent: Shown, most: number, read: Read, tableOf: (type: string) => string): Promise<Free[]>;
  /** The members of a request, for the API document; attributes of what is made may be added. */
  given?: Schema;
  /** How a free item is shown: its schema for the API document, and its JSON. */
  shown: Schema;
  show(free: Free, parent: Shown): unknown;
  /** The lock that keeps two requests from handing out the same thing. */
  lock(parent: Shown): string;
  /** What is wrong with the requests before anything is looked for, one entry for each; undefined when nothing is. */
  refused?(requests: Json[], parent: Shown): unknown[] | undefined;
  /** How many free items are needed for the requests; by default as many as there are requests. */
  needed?(requests: Json[]): number;
  /** The attributes of the object for each request, or undefined when there are not enough free items. */
  allot(requests: Json[], free: Free[], parent: Shown): Shown[] | undefined;
}

const ALLOW = { Allow: 'GET, POST, HEAD, OPTIONS' };
const ID = /^\d{1,15}$/;

/** GET lists what is free, POST makes objects of it, one or several, all or none. */
export function handing<Free>(engine: Engine, pool: Pool<Free>): ActionHandler {
  const tableOf = (type: string): string => engine.tables.nameOf(type);
  const reading =
    (executor: Executor): Read =>
    (text, values) =>
      rowsOf(executor, { text, values });
  const remembered = engine.cache.region<{ free: Free[] }>(`free ${pool.child.name} in ${pool.parent.name}`, [
    pool.parent.name,
    ...pool.types,
  ]);

  const counts = Object.entries(pool.child.fields).flatMap(([name, field]) =>
    field.reverse?.as === 'count' ? [name] : [],
  );
  /** As in the reference, what was handed out is shown without counts of what refers to it: nothing can yet. */
  const uncounted = (text: string): string =>
    counts.length
      ? JSON.stringify(JSON.parse(text), (key, value: unknown) => (counts.includes(key) ? undefined : value))
      : text;

  const parentOf = async ({ who, base }: ApiRequest, id: string): Promise<Shown> => {
    if (!ID.test(id)) throw refuse(404, 'Not found.');
    const query = parseQuery(`fields=${['id', ...pool.fields].join()}`, engine.settings);
    return JSON.parse((await detail(engine, pool.parent, id, query, who, base)).text) as Shown;
  };

  const list = async (request: ApiRequest, id: string): Promise<ApiResponse> => {
    if (allowed(request.who.grants, 'view', pool.child.name) === false) throw notPermitted(request.who);
    const parent = await parentOf(request, id);
    const most = limitOf(request.search, engine.settings);
    const key = `${id} ${most}`;
    const known =
      remembered.get(key) ??
      (
        await remembered.fill(
          async () => new Map([[key, { free: await pool.free(parent, most, reading(engine.pool), tableOf) }]]),
        )
      ).get(key)!;
    return { status: 200, headers: ALLOW, body: JSON.stringify(known.free.map((one) => pool.show(one, parent))) };
  };

  const make = async (request: ApiRequest, id: string): Promise<ApiResponse> => {
    const parent = await parentOf(request, id);
    if (allowed(request.who.grants, 'add', pool.child.name) === false) throw notPermitted(request.who);
    const body = (await bulkOf(request, engine)) ?? {};
    const single = !Array.isArray(body);
    const requests = Array.isArray(body) ? body : [body];
    const wrong = pool.refused?.(requests, parent);
    if (wrong) throw new Refusal(400, wrong);
    const make = async (client: PoolClient): Promise<Json[]> => {
      const read = reading(client);
      await locked(read, [pool.lock(parent)]);
      const free = await pool.free(parent, pool.needed?.(requests) ?? requests.length, read, tableOf);
      const allotted = pool.allot(requests, free, parent);
      if (!allotted) throw refuse(409, 'Insufficient resources are available to satisfy the request');
      return requests.map((one, i) => (isDict(one) ? { ...one, ...allotted[i]! } : one));
    };
    const written = await create(engine, pool.child, { given: requests, make }, single, contextOf(request));
    const texts = written.texts.map(uncounted);
    return { status: 201, headers: ALLOW, body: single ? texts[0]! : `[${texts.join(',')}]` };
  };

  return {
    methods: ['GET', 'POST', 'HEAD', 'OPTIONS'],
    operations: {
      GET: {
        summary: `List free ${pool.child.plural} of a ${pool.parent.label}`,
        parameters: [parameter('limit', { type: 'integer' }, 'How many at most.')],
        answer: arrayOf(pool.shown),
      },
      POST: {
        summary: `Create ${pool.child.plural} from what is free in a ${pool.parent.label}`,
        request: oneOrMore(pool.given ?? freeForm),
        status: 201,
        answer: oneOrMore(whole(pool.child)),
        refuses: [409],
      },
    },
    async handle(request, id) {
      try {
        if (request.method === 'POST') return await make(request, id!);
        if (request.method !== 'OPTIONS') return await list(request, id!);
        await parentOf(request, id!);
        return {
          status: 200,
          headers: ALLOW,
          body: JSON.stringify({
            name: `Available ${pool.child.plural}`,
            description: '',
            renders: ['application/json', 'text/html'],
            parses: ['application/json', 'multipart/form-data'],
          }),
        };
      } catch (error) {
        throw error instanceof Refusal ? new Refusal(error.status, error.body, { ...ALLOW, ...error.headers }) : error;
      }
    },
  };
}

/** How many are listed when pages have no largest size. */
const MOST = 10_000;

function limitOf(search: string, { paginateCount, maxPageSize }: Engine['settings']): number {
  const given = readQuery(search).get('limit')?.trim() ?? '';
  const most = maxPageSize || MOST;
  const limit = /^[-+]?\d{1,15}$/.test(given) ? Number(given) : paginateCount;
  return limit > 0 ? Math.min(limit, most) : most;
}
