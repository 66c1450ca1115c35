import { apiPath, type Catalogue, type Dict, isDict, type Json, type Model } from '@cadastre/model';
import type { Api, Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import type { Shown } from '../../../context/pageRequest.ts';

/** The most texts in one request, as addresses have a limited length. */
const AT_ONCE = 80;
const PAGE = 1_000;
/**
 * The most objects that are read for one group of texts; texts that were not found among them are then asked for one by
 * one.
 */
const MOST = 20_000;

/** A search: the objects of a type that have a text as an attribute, within certain places. */
export interface Wanted {
  model: Model;
  attribute: string;
  text: string;
  /** Values by filter: ids, or the texts that the filter takes. */
  within: Readonly<Record<string, string | number>>;
}

const keyOf = ({ model, attribute, text, within }: Wanted): string =>
  JSON.stringify([model.name, attribute, text.toLowerCase(), Object.entries(within).toSorted()]);

/** Whether an attribute can have a text as its value: otherwise the filter would refuse the request. */
function canBe({ fields }: Model, attribute: string, text: string): boolean {
  if (attribute === 'id') return /^\d{1,15}$/.test(text);
  const field = fields[attribute];
  if (!field || field.relation || field.generic || field.secret) return false;
  const number = field.lookups === 'number' || field.lookups === 'decimal';
  if (number && !/^-?\d{1,15}(\.\d+)?$/.test(text)) return false;
  const parsed = field.parse?.(number ? Number(text) : text, { knowsObjectType: () => true });
  return !parsed || !('errors' in parsed);
}

/**
 * Finds objects by name, in batches of eighty texts for each type and attribute, not row by row. For each text, the
 * objects in the order of their ids; only those that the user may see.
 */
export async function candidatesOf(
  api: Api,
  catalogue: Catalogue,
  wanted: readonly Wanted[],
): Promise<(one: Wanted) => readonly Shown[]> {
  const unique = new Map(
    wanted.filter(({ model, attribute, text }) => canBe(model, attribute, text)).map((one) => [keyOf(one), one]),
  );
  const groups = Map.groupBy(unique.values(), ({ model, attribute, within }) =>
    [model.name, attribute, ...Object.keys(within).toSorted()].join(' '),
  );
  const found = new Map<string, Shown[]>();
  await Promise.all(
    [...groups.values()].map(async (group) => {
      // Sorted by place, so that searches in the same place share a request.
      const place = ({ within }: Wanted): string => JSON.stringify(Object.entries(within).toSorted());
      const sorted = group.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
      for (let at = 0; at < sorted.length; at += AT_ONCE)
        await find(api, catalogue, sorted.slice(at, at + AT_ONCE), (one, object) => {
          const key = keyOf(one);
          found.set(key, [...(found.get(key) ?? []), object]);
        });
    }),
  );
  return (one) => found.get(keyOf(one)) ?? [];
}

async function find(
  api: Api,
  catalogue: Catalogue,
  chunk: readonly Wanted[],
  keep: (one: Wanted, object: Shown) => void,
): Promise<void> {
  const byText = Map.groupBy(chunk, ({ text }) => text.toLowerCase());
  const { attribute } = chunk[0]!;
  const left = new Set(chunk);
  const take = (object: Shown): void => {
    for (const text of textsOf(object[attribute]))
      for (const one of byText.get(text) ?? [])
        if (liesIn(object, one.within)) {
          left.delete(one);
          keep(one, object);
        }
  };
  if (await read(api, catalogue, chunk, MOST, take)) return;
  // Some of the texts match too many objects: the remaining texts are searched one by one.
  for (const one of [...left]) await read(api, catalogue, [one], PAGE, take);
}

/** @returns whether all were read */
async function read(
  api: Api,
  catalogue: Catalogue,
  chunk: readonly Wanted[],
  most: number,
  take: (object: Shown) => void,
): Promise<boolean> {
  const { model, attribute, within } = chunk[0]!;
  const query = new URLSearchParams({ limit: String(PAGE), fields: membersOf(model, attribute, within) });
  for (const text of new Set(chunk.map(({ text }) => text))) query.append(attribute, text);
  const filters = catalogue.filtersOf(model);
  for (const filter of Object.keys(within))
    if (filter in filters)
      for (const value of new Set(chunk.map((one) => String(one.within[filter])))) query.append(filter, value);
  let count = 0;
  for (let start: string | null = '0'; start !== null; ) {
    query.set('start', start);
    const { results, next } = await seen(api, `${apiPath(model)}?${query}`);
    results.forEach(take);
    count += results.length;
    start = next === null ? null : new URL(next, 'http://local').searchParams.get('start');
    if (start !== null && count >= most) return false;
  }
  return true;
}

type Page = Listed<Shown> & { next: string | null };

/** A page of a list; empty for a user who may see none of its objects. */
export async function seen(api: Api, path: string): Promise<Page> {
  try {
    return await api.get<Page>(path);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 403) throw error;
    return { count: 0, results: [], next: null };
  }
}

/** The members that are needed to decide whether an object is meant, and to describe it. */
function membersOf(model: Model, attribute: string, within: Wanted['within']): string {
  const related = Object.entries(model.fields).flatMap(([name, { relation, generic }]) =>
    (relation && !relation.many) || generic ? [name] : [],
  );
  const places = Object.keys(within).map((filter) => filter.replace(/_id$/, ''));
  return [...new Set(['id', 'url', 'display', attribute, 'name', 'slug', ...places, ...related])].join(',');
}

/** The texts that match an attribute, in lower case: an address also matches without its mask. */
export function textsOf(value: Json | undefined): string[] {
  const plain = isDict(value) && 'value' in value ? value['value'] : value;
  if (plain === null || plain === undefined || typeof plain === 'object') return [];
  const text = String(plain).toLowerCase();
  return /^[0-9a-f.:]+\/\d+$/.test(text) ? [text, text.split('/')[0]!] : [text];
}

/**
 * Whether an object lies in the given places, directly or by its assignment; if that cannot be decided, it counts as
 * yes.
 */
export function liesIn(object: Dict, within: Wanted['within']): boolean {
  return Object.entries(within).every(([filter, value]) => {
    const byId = filter.endsWith('_id');
    const name = byId ? filter.slice(0, -3) : filter;
    const place = name in object ? object[name] : Object.values(object).find((one) => isDict(one) && name in one);
    if (place === undefined) return true;
    const found = name in object ? place : (place as Dict)[name];
    if (!isDict(found)) return false;
    return byId
      ? found['id'] === Number(value)
      : ['name', 'slug', 'display', 'model', 'cid'].some(
          (one) => String(found[one]).toLowerCase() === String(value).toLowerCase(),
        );
  });
}
