import type { Model } from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { WriteContext } from '../context/context.ts';
import type { WriteEngine } from '../context/engine.ts';
import type { Item } from '../context/item.ts';
import { resolveCustomObjects } from './customObjects.ts';
import { definitionsFor } from './definitions.ts';
import { resolveGenerics } from './generics.ts';
import { resolveRows } from './owned.ts';
import { type Prefetched, resolveReferences } from './references.ts';

/**
 * Finds out what the references in bodies mean before anything is locked for the write, so that a slow owner or a slow
 * search delays only the request that needs it. What is wrong with the references is reported later.
 */
export async function prefetchReferences(
  engine: WriteEngine,
  model: Model,
  items: Item[],
  { who }: WriteContext,
  client: PoolClient,
): Promise<Prefetched> {
  const prefetched: Prefetched = new Map();
  await resolveReferences(engine, model, items, who, client, prefetched);
  await resolveRows(engine, model, items, who, client, prefetched);
  if (model.features.has('customFields'))
    await resolveCustomObjects(
      engine,
      (await definitionsFor(engine, model, items, client)).of(model.name),
      items,
      who,
      client,
      prefetched,
    );
  await resolveGenerics(
    engine,
    model,
    items.map((item) => ({ item, object: item.values })),
    who,
    client,
    prefetched,
  );
  return prefetched;
}
