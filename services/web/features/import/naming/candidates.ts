import { apiPath, type Catalogue, type Dict, isDict, type Json, type Model } from '@cadastre/model';
import type { Api, Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import type { Shown } from '../../../context/pageRequest.ts';

/** So many texts are asked for at once: addresses have a length. */
const AT_ONCE = 80;
const PAGE = 1_000;
/** So many objects of the same few names are read; of names that have none among them, each is asked for by itself. */
const MOST = 20_000;

/** What is looked for: objects of a type whose attribute is a text, and among which of them. */
export interface Wanted {
  model: Model;
  attribute: string;
  text: string;
  /** By the filter: ids, or what the filter is by. */
  within: Readonly<Record<string, string | number>>;
}

const keyOf = ({ model, attribute, text, within }: Wanted): string =>
  JSON.stringify([model.name, attribute, text.toLowerCase(), Object.entries(within).toSorted()]);

/** Whether an attribute can have a text at all: a filter refuses one that it cannot. */
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
 * Objects by what they are called: one question for each type, attribute and eighty texts, whatever the number of rows.
 * What there is of each text that is wanted, in the order of the ids; only what the user may see.
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
      // What is looked for in the same place is asked for together.
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
  // Far too many have one of the names: the others are looked for by themselves.
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

/** What has to be known of an object to tell whether it is meant, and to say which it is. */
function membersOf(model: Model, attribute: string, within: Wanted['within']): string {
  const related = Object.entries(model.fields).flatMap(([name, { relation, generic }]) =>
    (relation && !relation.many) || generic ? [name] : [],
  );
  const places = Object.keys(within).map((filter) => filter.replace(/_id$/, ''));
  return [...new Set(['id', 'url', 'display', attribute, 'name', 'slug', ...places, ...related])].join(',');
}

/** The texts that an attribute may be called by, in lower case: an address also without its mask. */
export function textsOf(value: Json | undefined): string[] {
  const plain = isDict(value) && 'value' in value ? value['value'] : value;
  if (plain === null || plain === undefined || typeof plain === 'object') return [];
  const text = String(plain).toLowerCase();
  return /^[0-9a-f.:]+\/\d+$/.test(text) ? [text, text.split('/')[0]!] : [text];
}

/** Whether an object lies in others, directly or by what it is assigned to; what cannot be told counts as yes. */
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
