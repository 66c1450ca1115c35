import { apiPath, isDict, type Json, lookups, type Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import type { PageRequest } from '../../../context/pageRequest.ts';
import type { Control } from './controls.ts';
import { orNone } from '../../../context/refusals.ts';

/** The most schemas that are read. */
const MOST = 500;

const KINDS: Readonly<Record<string, Control['kind']>> = { integer: 'number', number: 'number', boolean: 'boolean' };

/** Filters by members of a JSON column; related objects have the schemas that describe the members. */
export async function keyedControls({ api, catalogue }: PageRequest, model: Model): Promise<Control[]> {
  const all = await Promise.all(
    Object.entries(catalogue.filtersOf(model)).map(async ([prefix, filter]) => {
      if (filter.kind !== 'keyed' || !filter.described) return [];
      const [field, schema] = filter.described.split('.') as [string, string];
      const type = model.fields[field]?.relation?.to;
      const target = type === undefined ? undefined : catalogue.models.get(type);
      if (!target) return [];
      const { results } = await orNone(
        api.get<Listed<Record<string, Json>>>(`${apiPath(target)}?fields=${schema}&limit=${MOST}`),
      );
      return keysIn(results.map((one) => one[schema])).map(([key, said]) => controlOf(prefix, key, said, filter.field));
    }),
  );
  return all.flat();
}

/** The members that schemas describe, each once. */
export function keysIn(schemas: readonly (Json | undefined)[]): [key: string, schema: Record<string, Json>][] {
  const found = new Map<string, Record<string, Json>>();
  for (const schema of schemas) {
    const properties = isDict(schema) ? schema['properties'] : undefined;
    if (!isDict(properties)) continue;
    for (const [key, said] of Object.entries(properties)) if (!found.has(key)) found.set(key, isDict(said) ? said : {});
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function controlOf(prefix: string, key: string, { type, title }: Record<string, Json>, field: string): Control {
  const kind = KINDS[String(type)] ?? 'text';
  return {
    name: `${prefix}${key}`,
    label: typeof title === 'string' && title ? title : key,
    kind,
    lookups: kind === 'boolean' ? [''] : Object.keys(kind === 'number' ? lookups.number : lookups.string),
    choices: [],
    of: undefined,
    by: undefined,
    field,
    custom: false,
  };
}
