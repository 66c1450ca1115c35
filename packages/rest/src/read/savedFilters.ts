import type { Json } from '@cadastre/model';
import type { ReadEngine } from './engine.ts';
import type { Requester } from '../core/requester.ts';
import { rowsOf } from '../db/sql.ts';
import type { Query } from './query/query.ts';

const SAVED_FILTER = 'extras.savedfilter';

interface SavedFilter {
  id: string;
  slug: string;
  shared: boolean;
  userId: string | null;
  parameters: Record<string, Json>;
}

/**
 * The query with the parameters of the saved filters that it names (`?filter=<slug>`, `?filter_id=<id>`). As in the
 * reference they take the place of what the request itself says under the same names, and a name that stands for none
 * is ignored; so are filters that are switched off, or private and somebody else's.
 */
export async function withSavedFilters(engine: ReadEngine, query: Query, who: Requester): Promise<Query> {
  if (!query.saved || !engine.tables.has(SAVED_FILTER)) return query;
  const slugs = query.all.getAll('filter');
  const ids = query.all.getAll('filter_id');
  const named = (await savedFilters(engine)).filter((f) => slugs.includes(f.slug) || ids.includes(f.id));
  const filters = new Map(query.filters);
  for (const { parameters, shared, userId } of named) {
    if (!shared && !who.grants.superuser && (userId === null || Number(userId) !== who.userId)) continue;
    for (const [name, value] of Object.entries(parameters)) filters.set(name, textsOf(value));
  }
  return { ...query, filters: [...filters] };
}

/** A value as parameters of an address say it. */
const textsOf = (value: Json): string[] =>
  (Array.isArray(value) ? value : [value]).map((one) =>
    one === null ? '' : typeof one === 'object' ? JSON.stringify(one) : String(one),
  );

/** All that are switched on, in their order; remembered until one of them changes. */
async function savedFilters(engine: ReadEngine): Promise<SavedFilter[]> {
  const region = engine.cache.region<SavedFilter[]>('saved filters', [SAVED_FILTER]);
  const known = region.get('');
  if (known) return known;
  const loaded = await region.fill(async () => {
    const rows = await rowsOf(engine.pool, {
      text: `select id, slug, shared, user_id, parameters from ${engine.tables.nameOf(SAVED_FILTER)} where enabled order by weight, name, id`,
      values: [],
    });
    return new Map([
      [
        '',
        rows.map(
          ([id, slug, shared, userId, parameters]): SavedFilter => ({
            id: id!,
            slug: slug!,
            shared: shared === 't',
            userId: userId ?? null,
            parameters: JSON.parse(parameters ?? '{}') as Record<string, Json>,
          }),
        ),
      ],
    ]);
  });
  return loaded.get('')!;
}
