import { IdSet } from './ids.ts';
import { isThing, type Json, type Thing } from './json.ts';
import { type Reader, Unreadable } from './reader.ts';
import { SHOWN } from './requests.ts';

/** An object with its id, as a list shows it. */
export type Listed = Thing & { id: number };

/** The objects of one list, page by page as they are read. */
export type Pages = AsyncGenerator<Listed[], void>;

/** How many objects are requested at once; a server that gives fewer decides. */
const PAGE = 1000;

/** The apps that hold objects; `plugins` and `status` are listed beside them. */
const NO_APPS = new Set(['plugins', 'status', 'schema', 'authentication-check']);

/**
 * The addresses of all lists that an installation has, such as `/api/dcim/sites/`. @throws Unreadable
 */
export async function listsOf({ get }: Pick<Reader, 'get'>): Promise<string[]> {
  const apps = Object.keys(await addresses(get, '/api/')).filter((app) => !NO_APPS.has(app));
  const lists = await Promise.all(
    apps.map(async (app) => Object.keys(await addresses(get, `/api/${app}/`)).map((name) => `/api/${app}/${name}/`)),
  );
  return lists.flat().toSorted();
}

async function addresses(get: Reader['get'], path: string): Promise<Thing> {
  const root = await get(path);
  if (!isThing(root)) throw new Unreadable(`${path} names no lists`);
  return Object.fromEntries(Object.entries(root).filter(([, address]) => typeof address === 'string'));
}

interface Page {
  count: number | null;
  next: string | null;
  results: Json[];
}

/** The size of a list, and where its objects belong. */
export interface Head {
  count: number;
  /** The address of the list that its first object belongs to: another list, if this one is an alias of that. */
  home: string | undefined;
}

/**
 * The size of a list, and where its objects belong; undefined for a list without objects with ids. @throws Unreadable
 */
export async function headOf({ get }: Pick<Reader, 'get'>, list: string): Promise<Head | undefined> {
  const page = pageIn(await get(`${list}?limit=1`));
  const [first] = page?.results ?? [];
  if (!page || page.count === null || (first !== undefined && !isListed(first))) return undefined;
  const url = first?.['url'];
  const home = typeof url === 'string' ? /\/api\/[^?]+\/(?=\d+\/$)/.exec(url)?.[0] : undefined;
  return { count: page.count, home };
}

/**
 * Whether a request for a list was refused with an error that no list gives to a superuser: the address is an action,
 * which needs parameters.
 */
export const isAction = (error: unknown): boolean =>
  error instanceof Unreadable && [400, 404, 405].includes(error.status ?? 0);

/** How many objects a list has; undefined for what is no list of objects with ids. @throws Unreadable */
export const countOf = async (reader: Pick<Reader, 'get'>, list: string): Promise<number | undefined> =>
  (await headOf(reader, list))?.count;

/**
 * All objects of a list, each once. It is read by ids, so that no page moves when objects are created or deleted.
 * A server that does not support that is read by its links, in the order of ids if possible.
 * @param from the lowest id to read
 * @throws Unreadable
 */
export async function* pagesOf(reader: Pick<Reader, 'get'>, list: string, from = 0): Pages {
  const first = await pageAt(reader, list, `?limit=${PAGE}&start=${from}`);
  const byIds = first.next === null || new URLSearchParams(first.next).has('start');
  let page = byIds ? first : await pageAt(reader, list, `?limit=${PAGE}&ordering=id`);
  const seen = new IdSet();
  let at = -1;
  for (;;) {
    yield page.objects.filter(({ id }) => id >= from && seen.add(id));
    if (page.next === null) return;
    // When each page begins after the last, no object comes twice.
    if (byIds) seen.clear();
    const next = placeOf(page.next);
    if (!(next > at)) throw new Unreadable(`${list} has pages that lead nowhere: ${page.next.slice(0, SHOWN)}`);
    at = next;
    page = await pageAt(reader, list, page.next);
  }
}

/**
 * Where a page begins, by an id or by an offset; each has to begin after the one before, or reading would never end.
 */
function placeOf(query: string): number {
  const asked = new URLSearchParams(query);
  return Number(asked.get('start') ?? asked.get('offset') ?? Number.NaN);
}

async function pageAt({ get }: Pick<Reader, 'get'>, list: string, query: string) {
  const page = pageIn(await get(list + query));
  if (!page) throw new Unreadable(`${list} is no list`);
  const objects = page.results.filter(isListed);
  if (objects.length < page.results.length) throw new Unreadable(`${list} has entries without an id`);
  return { objects, next: page.next === null ? null : new URL(page.next, 'http://any').search };
}

const pageIn = (answer: Json): Page | undefined =>
  isThing(answer) && Array.isArray(answer['results'])
    ? {
        count: typeof answer['count'] === 'number' ? answer['count'] : null,
        next: typeof answer['next'] === 'string' ? answer['next'] : null,
        results: answer['results'],
      }
    : undefined;

const isListed = (value: Json | undefined): value is Listed => isThing(value) && typeof value['id'] === 'number';
