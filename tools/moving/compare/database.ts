import type { Catalogue, Dict, Field, Json, Model } from '@cadastre/model';
import type { DatabaseSource } from '../import/sources/database/source.ts';
import { knownTo } from '../import/mapping/known.ts';
import { mappingOf } from '../import/mapping/mapping.ts';
import { isSent } from '../import/mapping/sent.ts';
import type { Collection } from '../import/sources/source.ts';
import type { Listed, Pages } from '../lists.ts';
import type { Side } from './side.ts';

const PAGE = 1000;

/**
 * Compares the tables of a NetBox with an installation's API. Tables hold no counts, labels of choices or forms of
 * related objects, so both sides show what an import would bring of each object, as far as an API shows it and the
 * tables have it. Lists that have no tables are left out.
 */
export async function databaseSides(
  source: DatabaseSource,
  api: Side,
  catalogue: Catalogue,
): Promise<readonly [Side, Side]> {
  const models = [...catalogue.models.values()].filter(isSent);
  const byName = new Map(models.map((model) => [model.name, model]));
  const found = await source.collections();
  const known = await knownTo({
    catalogue,
    models,
    collections: new Map(found.map((collection) => [collection.type, collection])),
    source,
    order: { precedes: () => true },
    ids: { of: (_, id) => id },
  });
  const lists = new Map(
    found
      .filter(({ type, count }) => (catalogue.models.has(type) ? byName.has(type) : count > 0))
      .map((collection) => [`/api/${collection.path}/`, collection]),
  );
  const asBrought = (list: string): ((shown: Dict) => Listed) => {
    const { type, path } = lists.get(list)!;
    const model = byName.get(type);
    if (!model) return (shown) => shown as Listed;
    const map = mappingOf(model, known);
    const told = new Set(source.fields(path).filter((name) => isShown(model, name)));
    return (shown) => {
      const { id, display, first, second } = map(shown);
      const brought = Object.entries({ ...first, ...second })
        .filter(([name]) => told.has(name))
        .map(([name, value]) => [name, isUnordered(model.fields[name]!) ? inOrder(value) : value]);
      return { ...Object.fromEntries(brought), id, display };
    };
  };
  return [
    {
      base: source.name,
      lists: async () => [...lists.keys()],
      head: async (list) => ({ count: lists.get(list)!.count, home: undefined }),
      pages: (list) => pagesIn(source, lists.get(list)!, asBrought(list)),
    },
    {
      ...api,
      lists: async () => (await api.lists()).filter((list) => lists.has(list)),
      async *pages(list) {
        const brought = asBrought(list);
        for await (const page of api.pages(list)) yield page.map((one) => brought(one as Dict));
      },
    },
  ];
}

/** What an API shows to a superuser. */
const isShown = ({ fields }: Model, name: string): boolean => {
  const field = fields[name];
  return field !== undefined && !field.hidden && !field.sealed && !field.secret && !field.writeOnly;
};

/** Tables do not keep the order of related objects, nor of types; the API sorts them in its own way. */
const isUnordered = ({ relation, kind }: Field): boolean => relation?.many === true || kind === 'objectTypes';
const inOrder = (values: Json): Json =>
  Array.isArray(values) ? values.toSorted((a, b) => String(a).localeCompare(String(b), 'en')) : values;

async function* pagesIn(source: DatabaseSource, collection: Collection, brought: (shown: Dict) => Listed): Pages {
  let page: Listed[] = [];
  for await (const shown of source.read(collection)) {
    page.push(brought(shown));
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}
