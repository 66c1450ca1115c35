import { lookedAt, members, type Model } from '@cadastre/model';
import type { WriteEngine } from '../../write/context/engine.ts';
import { shownIn } from '../../cache/embedders.ts';

const known = new WeakMap<Model, ReadonlySet<string> | null>();

/**
 * The types of objects that requests for a model's objects look at, including those that custom fields name. Null when
 * it may be any.
 */
export async function referencedTypes(engine: WriteEngine, model: Model): Promise<ReadonlySet<string> | null> {
  let types = known.get(model);
  if (types === undefined) {
    const shown = shownIn(engine.catalogue, model, members(model, 'complete'));
    known.set(model, (types = shown.includes('*') ? null : new Set([...shown, ...lookedAt(engine.catalogue, model)])));
  }
  const named = model.features.has('customFields')
    ? (await engine.definitions()).of(model.name).flatMap(({ relatedType }) => relatedType ?? [])
    : [];
  return types && named.length ? new Set([...types, ...named]) : types;
}
