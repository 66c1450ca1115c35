import { backwardsOf, type Catalogue, type Field, HEAD, type Json, type Model } from '@cadastre/model';

/** What templates know of a type; as `Shape` of `@cadastre/templates`, which this package does not know. */
interface Shape {
  label: string;
  className: string;
  fields: Record<string, { to?: string; many?: boolean; typeField?: string }>;
  aliases: Record<string, string>;
  back: Record<string, string>;
}

/**
 * What a template asked for that it had not been given: a type, a whole object, or the list of objects that refer to an
 * object, by the name of the list.
 */
export type Want =
  | readonly ['type', string]
  | readonly ['object', string, number]
  | readonly ['list', string, number, string];

/** What a template gets of the objects in its context. */
export interface Known {
  roots: Record<string, { type: string; many?: true }>;
  types: Record<string, Shape | null>;
  objects: Record<string, Json>;
  lists: Record<string, readonly number[]>;
  maxWants: number;
}

/** What a field of a representation refers to. */
function referenceOf(catalogue: Catalogue, model: Model, field: Field, seen = 0): Shape['fields'][string] {
  const { relation, reverse, generic, firstOf } = field;
  if (relation)
    return relation.form === 'id' || relation.form === 'key'
      ? {}
      : { to: relation.to, ...(relation.many ? { many: true } : {}) };
  if (reverse && (reverse.as === 'list' || reverse.as === 'one') && !reverse.shown)
    return { to: reverse.from, ...(reverse.as === 'list' ? { many: true } : {}) };
  if (generic) return { typeField: generic.typeField };
  if (firstOf?.[0] && !seen) return referenceOf(catalogue, model, model.fields[firstOf[0]]!, 1);
  return {};
}

/** Names that scripts know for fields. */
const ALIASES: readonly [alias: string, field: string][] = [
  ['cf', 'custom_fields'],
  ['custom_field_data', 'custom_fields'],
];

/** What templates know of a type, by its declaration. */
function shapeOf(catalogue: Catalogue, type: string): Shape {
  const model = catalogue.get(type);
  const shown = Object.entries(model.fields).filter(([, field]) => !field.hidden && !field.secret && !field.writeOnly);
  return {
    label: model.label,
    className: model.className,
    fields: {
      ...Object.fromEntries(HEAD.map((name) => [name, {}])),
      ...Object.fromEntries(shown.map(([name, field]) => [name, referenceOf(catalogue, model, field)])),
    },
    aliases: Object.fromEntries(
      ALIASES.filter(([, field]) => model.features.has('customFields') && field === 'custom_fields'),
    ),
    back: Object.fromEntries([...backwardsOf(catalogue, type)].map(([name, { model: from }]) => [name, from.name])),
  };
}

/**
 * Adds what is known of a type and of the types that its fields name: a template that goes on from one of its objects
 * reaches those next.
 */
export function addType(catalogue: Catalogue, types: Known['types'], type: string): void {
  const add = (name: string): Shape | undefined => {
    if (types[name] === undefined) types[name] = catalogue.has(name) ? shapeOf(catalogue, name) : null;
    return types[name] ?? undefined;
  };
  for (const { to } of Object.values(add(type)?.fields ?? {})) if (to) add(to);
}

export const objectKey = (type: string, id: number): string => `${type} ${id}`;
export const listKey = (type: string, id: number, name: string): string => `${type} ${id} ${name}`;
