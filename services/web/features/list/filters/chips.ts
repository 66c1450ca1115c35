import { apiPath, type Choice, filterNamed, type Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { addressWith, filtersIn, lasting } from '../../../ui/url/listQuery.ts';
import { formZone, localFilter } from '../../../ui/time/formTimes.ts';
import type { Texts } from '../../../ui/texts/texts.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { filterLabel, shapeOf } from './controls.ts';
import { orNone } from '../../../context/refusals.ts';
import { lookupWord } from './lookup.ts';

/** An applied filter in words, and the address of the list without it. */
export interface Chip {
  /** The parameter, and its value as the address has it. */
  name: string;
  given: string;
  label: string;
  lookup: string;
  value: string;
  /** The same list without it. */
  without: string;
}

/** The meaning of a parameter and its value, before the names of objects are known. */
interface Meaning {
  name: string;
  given: string;
  label: string;
  lookup: string;
  said: string | undefined;
  /** The object that the value names. */
  of: { type: string; by: string } | undefined;
}

/** The most values whose names are looked up; the API accepts a thousand parameters. */
const MOST_NAMED = 500;

/** The applied filters of an address, with the names of the objects that they refer to: one request for each type. */
export async function chipsOf(request: PageRequest, model: Model, home: string): Promise<Chip[]> {
  const { query } = request;
  const meanings = filtersIn(query)
    .filter(([name]) => name !== 'q')
    .map(([name, value]) => meaningOf(request, model, name, value));
  const names = await namesOf(request, meanings);
  return meanings.map(({ name, given, label, lookup, said, of }) => {
    const next = lasting(query);
    next.delete(name, given);
    next.delete('offset');
    next.delete('page');
    return {
      name,
      given,
      label,
      lookup,
      value: said ?? names.get(keyOf(of, given)) ?? given,
      without: addressWith(home, next),
    };
  });
}

const keyOf = (of: Meaning['of'], value: string): string => `${of?.type} ${of?.by} ${value}`;

function meaningOf({ catalogue, texts }: PageRequest, model: Model, name: string, given: string): Meaning {
  const wordOf = (suffix: string): string => wordFor(suffix, given, texts);
  if (name === 'filter' || name === 'filter_id')
    return {
      name,
      given,
      label: texts('savedFilter'),
      lookup: '',
      said: undefined,
      of: { type: 'extras.savedfilter', by: name === 'filter' ? 'slug' : 'id' },
    };
  const found = filterNamed(catalogue.filtersOf(model), name);
  if (!found) {
    const [, custom = name, suffix = ''] = /^cf_(.+?)(?:__([a-z]+))?$/.exec(name) ?? [];
    return { name, given, label: filterLabel(custom), lookup: wordOf(suffix), said: silent(suffix), of: undefined };
  }
  const [filter, , suffix] = found;
  const shape = shapeOf(filter, model, catalogue);
  const bare = suffix === '' ? name : name.slice(0, -suffix.length - 2);
  const none = given === 'null' ? '' : undefined;
  return {
    name,
    given,
    label: filterLabel(bare),
    lookup: wordOf(suffix),
    said:
      none ??
      silent(suffix) ??
      labelIn(shape?.choices ?? [], given) ??
      (shape?.kind === 'datetime' ? momentSaid(given) : undefined) ??
      (shape?.kind === 'boolean' ? yesNo(given) : undefined),
    of: shape?.of === undefined ? undefined : { type: shape.of, by: shape.by ?? 'id' },
  };

  function yesNo(value: string): string | undefined {
    return /^(true|1)$/i.test(value) ? texts('yes') : /^(false|0)$/i.test(value) ? texts('no') : undefined;
  }
}

/** A time in the reader's time zone. A date stays a date. */
function momentSaid(given: string): string | undefined {
  const local = given.length > 10 ? localFilter(given) : undefined;
  return local && `${local.replace('T', ' ')} ${formZone()}`;
}

/** The plain comparison needs no word. */
function wordFor(suffix: string, given: string, texts: Texts): string {
  if (suffix === 'empty') return lookupWord(`empty:${/^(true|1)$/i.test(given)}`, texts);
  if (given === 'null') return lookupWord(`${suffix}:null`, texts);
  return suffix === '' ? '' : lookupWord(suffix, texts);
}

const silent = (suffix: string): string | undefined => (suffix === 'empty' ? '' : undefined);
const labelIn = (choices: readonly Choice[], given: string): string | undefined =>
  choices.find(({ value }) => String(value) === given)?.label;

/**
 * The names of objects, by type, attribute and value. Objects that the user may not see appear as their given value.
 */
async function namesOf({ api, catalogue }: PageRequest, meanings: readonly Meaning[]): Promise<Map<string, string>> {
  const wanted = new Map<string, { type: string; by: string; values: Set<string> }>();
  for (const { of, said, given } of meanings) {
    if (!of || said !== undefined || !catalogue.has(of.type)) continue;
    if (of.by === 'id' && !/^\d{1,15}$/.test(given)) continue;
    const key = `${of.type} ${of.by}`;
    if (!wanted.has(key)) wanted.set(key, { ...of, values: new Set() });
    wanted.get(key)!.values.add(given);
  }
  const names = new Map<string, string>();
  await Promise.all(
    [...wanted.values()].map(async ({ type, by, values }) => {
      const asked = new URLSearchParams([...values].slice(0, MOST_NAMED).map((value): [string, string] => [by, value]));
      asked.set('brief', 'true');
      asked.set('limit', String(MOST_NAMED));
      const { results } = await orNone(api.get<Listed<Shown>>(`${apiPath(catalogue.get(type))}?${asked}`));
      for (const one of results) names.set(keyOf({ type, by }, String(one[by] ?? '')), one.display);
    }),
  );
  return names;
}
