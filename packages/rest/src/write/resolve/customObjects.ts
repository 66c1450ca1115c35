import { integerOf, isDict, type Json, type Reference } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import type { Requester } from '../../core/requester.ts';
import type { CustomField } from '../../cache/customFieldDefinitions.ts';
import type { Executor } from '../../db/sql.ts';
import { hasErrors, type Item } from '../context/item.ts';
import { type Prefetched, resolve } from './references.ts';

/** A value of a custom field that points at objects. */
interface Place {
  item: Item;
  field: CustomField;
  value: Json;
  references: (Reference | undefined)[];
}

/**
 * Turns what was given for custom fields that point at objects into ids, by one batch for each type. Messages go into
 * the items.
 */
export async function resolveCustomObjects(
  engine: WriteEngine,
  fields: readonly CustomField[],
  items: readonly Item[],
  who: Requester,
  executor: Executor,
  known?: Prefetched,
): Promise<void> {
  const pointing = fields.filter(
    ({ type, relatedType }) => relatedType !== null && (type === 'object' || type === 'multiobject'),
  );
  const places = items.flatMap((item) =>
    hasErrors(item)
      ? []
      : pointing.flatMap((field): Place[] => {
          const value = item.customFields?.[field.name] ?? null;
          if (value === null || value === '' || (Array.isArray(value) && !value.length)) return [];
          const values = field.type === 'object' ? [value] : Array.isArray(value) ? value : [undefined];
          return [{ item, field, value, references: values.map(referenceOf) }];
        }),
  );
  for (const [type, group] of Map.groupBy(places, ({ field }) => field.relatedType!))
    await resolveGroup(engine, type, group, who, executor, known);
}

/** An id, or attributes; where the id is among these, as in objects that were read, it is enough. */
function referenceOf(value: Json | undefined): Reference | undefined {
  if (isDict(value))
    return 'id' in value ? referenceOf(value['id']) : Object.keys(value).length ? { attributes: value } : undefined;
  const id = typeof value === 'number' || typeof value === 'string' ? integerOf(value) : undefined;
  return typeof id === 'number' ? { id } : undefined;
}

async function resolveGroup(
  engine: WriteEngine,
  type: string,
  places: readonly Place[],
  who: Requester,
  executor: Executor,
  known: Prefetched | undefined,
): Promise<void> {
  const distinct = new Map(
    places.flatMap(({ references }) => references.flatMap((r) => (r ? [[JSON.stringify(r), r] as const] : []))),
  );
  const results = distinct.size ? await resolve(engine, type, [...distinct.values()], who, executor, known) : [];
  const found = new Map([...distinct.keys()].map((key, i) => [key, results[i]!]));
  for (const { item, field, value, references } of places) {
    const ids = references.flatMap((reference) => {
      const one = reference && found.get(JSON.stringify(reference));
      return one && 'id' in one ? [one.id] : [];
    });
    if (ids.length === references.length)
      item.customFields = { ...item.customFields, [field.name]: field.type === 'object' ? ids[0]! : ids };
    else
      item.errors['custom_fields'] = [
        `Unknown related object(s): ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ];
  }
}
