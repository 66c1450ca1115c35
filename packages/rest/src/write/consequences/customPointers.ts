import type { Dict, Json, Model } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import type { CustomFieldDefinitions } from '../../cache/customFieldDefinitions.ts';

/**
 * That a custom field of the aliased row, whose name is `$2`, names one of the objects whose ids `$1` holds; one or a
 * list.
 */
export const NAMES_ONE = `t.custom_fields ? $2::text and exists (select from jsonb_path_query(t.custom_fields -> $2::text, '$[*]') as v where v #>> '{}' = any($1::bigint[]::text[]))`;

/** The custom fields of this service's models that point at objects of a type. */
export function fieldsPointingAt(
  { catalogue, tables }: Pick<WriteEngine, 'catalogue' | 'tables'>,
  definitions: CustomFieldDefinitions,
  type: string,
): { model: Model; name: string }[] {
  const models = catalogue.ownedBy(tables.service).filter((model) => model.features.has('customFields'));
  return models.flatMap((model) =>
    definitions
      .of(model.name)
      .filter((field) => field.relatedType === type)
      .map(({ name }) => ({ model, name })),
  );
}

/** The definitions that this service has followed by now. */
export async function definitionsNow(engine: WriteEngine): Promise<CustomFieldDefinitions> {
  await engine.invalidations.wait();
  return engine.definitions();
}

/** Types of objects that custom fields of this service's models point at. */
export async function pointedAt(engine: WriteEngine): Promise<ReadonlySet<string>> {
  const definitions = await definitionsNow(engine);
  return new Set(
    engine.catalogue
      .ownedBy(engine.tables.service)
      .flatMap((model) => definitions.of(model.name).flatMap((field) => field.relatedType ?? [])),
  );
}

/** Custom field values without the deleted objects, by field. */
export function without(values: Dict, gone: ReadonlyMap<string, readonly ReadonlySet<Json>[]>): Dict {
  const left = { ...values };
  for (const [name, lost] of gone) {
    const value = left[name] ?? null;
    left[name] = Array.isArray(value) ? value.filter((id) => !lost.some((ids) => ids.has(id))) : null;
  }
  return left;
}
