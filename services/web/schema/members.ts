import { type Catalogue, type Field, members, type Model } from '@cadastre/model';
import { oncePer } from '../ui/memoize.ts';

/** A field of a model with its name. */
export type Named = readonly [name: string, field: Field];

/** What an object is found by, and no field. */
const HEAD = new Set(['id', 'url', 'display_url', 'display']);

/** Fields that are not in the usual groups: they have a place of their own on the page, or none. */
const ELSEWHERE = new Set(['tags', 'custom_fields', 'comments', 'created', 'last_updated']);

/** The fields that an object shows, in the order of its declaration. */
export const shownFields = oncePer((model: Model): readonly Named[] =>
  members(model, 'complete').flatMap((name) => {
    const field = model.fields[name];
    return field && !HEAD.has(name) && !name.startsWith('_') ? [[name, field] as const] : [];
  }),
);

/** The fields that say by type and id what a generic relation leads to, by the relation that shows it. */
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

/** The fields that say something of an object itself, less what has a place of its own. */
export const ownFields = oncePer((model: Model): readonly Named[] =>
  shownFields(model).filter((named) => !ELSEWHERE.has(named[0]) && !isCount(named) && !named[1].onlyWhenCreated),
);

/** Those by which an object leads to the lists of others. */
export const countFields = oncePer((model: Model): readonly Named[] => shownFields(model).filter(isCount));

/** The fields that somebody can write, less tags and custom fields. */
export const writtenFields = oncePer((model: Model): readonly Named[] =>
  Object.entries(model.fields).filter(
    ([name, field]) =>
      (field.parse || field.owned) && !field.readOnly && !field.hidden && !field.special && !name.startsWith('_'),
  ),
);

/** Those of them that a form has. */
export const formFields = (model: Model, catalogue: Catalogue): Named[] =>
  writtenFields(model).filter(([, field]) => takesSomething(field, catalogue));

/** A field may be there for API clients alone: it takes only an empty list, or objects of a type that does not exist. */
const takesSomething = ({ relation, schema }: Field, catalogue: Catalogue): boolean =>
  (!relation || catalogue.has(relation.to)) && (schema.write as { maxItems?: number }).maxItems !== 0;

/** Fields of long texts have a panel each. */
export const isLong = ([name, { kind, column }]: Named): boolean =>
  kind === 'json' || (kind === 'text' && column?.type === 'text') || name === 'comments';
