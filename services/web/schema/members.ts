import { type Catalogue, type Field, members, type Model } from '@cadastre/model';
import { oncePer } from '../ui/memoize.ts';

/** A field of a model with its name. */
export type Named = readonly [name: string, field: Field];

/** Members that identify an object, and are not shown as fields. */
const HEAD = new Set(['id', 'url', 'display_url', 'display']);

/** Fields outside the usual groups: they have their own place on the page, or none. */
const ELSEWHERE = new Set(['tags', 'custom_fields', 'comments', 'created', 'last_updated']);

/** The fields that the page of an object can show, in the order of their declaration. */
export const shownFields = oncePer((model: Model): readonly Named[] =>
  members(model, 'complete').flatMap((name) => {
    const field = model.fields[name];
    return field && !HEAD.has(name) && !name.startsWith('_') ? [[name, field] as const] : [];
  }),
);

/** The type and id fields of generic relations, by name, with the relation that shows them. */
export const pairsOf = oncePer(
  (model: Model): ReadonlyMap<string, string> =>
    new Map(
      Object.entries(model.fields).flatMap(([name, { generic }]) =>
        generic
          ? [
              [generic.typeField, name],
              [generic.idField, name],
            ]
          : [],
      ),
    ),
);

export const isCount = ([, { reverse }]: Named): boolean => reverse?.as === 'count';

/** The fields that describe an object itself, without those that have their own place. */
export const ownFields = oncePer((model: Model): readonly Named[] =>
  shownFields(model).filter((named) => !ELSEWHERE.has(named[0]) && !isCount(named) && !named[1].onlyWhenCreated),
);

/** The counts, which link an object to lists of other objects. */
export const countFields = oncePer((model: Model): readonly Named[] => shownFields(model).filter(isCount));

/** The fields that users can write, without tags and custom fields. */
export const writtenFields = oncePer((model: Model): readonly Named[] =>
  Object.entries(model.fields).filter(
    ([name, field]) =>
      (field.parse || field.owned) && !field.readOnly && !field.hidden && !field.special && !name.startsWith('_'),
  ),
);

/** Those of them that a form has. */
export const formFields = (model: Model, catalogue: Catalogue): Named[] =>
  writtenFields(model).filter(([, field]) => takesSomething(field, catalogue));

/** A field may exist only for API clients: it takes only an empty list, or objects of a type that does not exist. */
const takesSomething = ({ relation, schema }: Field, catalogue: Catalogue): boolean =>
  (!relation || catalogue.has(relation.to)) && (schema.write as { maxItems?: number }).maxItems !== 0;

/** Long texts and JSON, which get a panel each. */
export const isLong = ([name, { kind, column }]: Named): boolean =>
  kind === 'json' || (kind === 'text' && column?.type === 'text') || name === 'comments';
