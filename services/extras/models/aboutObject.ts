import {
  type About,
  type Display,
  type Feature,
  type Field,
  generic,
  type GenericOptions,
  integer,
  objectType,
  type Rule,
} from '@cadastre/model';

/** The fields that `aboutObject` makes. */
export const ABOUT: About = { type: 'object_type', id: 'object_id' };

/**
 * The fields for the object that something is about: its type, its id, and the object itself under a name that the
 * model chooses.
 */
export const aboutObject = (
  name: string,
  { prefix = 'object', ...o }: GenericOptions & { prefix?: string } = {},
): Record<string, Field> => ({
  [`${prefix}_type`]: objectType(),
  [`${prefix}_id`]: integer({ size: 'bigint', min: 0, max: Number.MAX_SAFE_INTEGER }),
  [name]: generic(`${prefix}_type`, `${prefix}_id`, o),
});

/**
 * Only objects of types with the feature may be chosen; an object that was chosen before stays valid. `message` gets
 * the type.
 */
export const needsFeature =
  (feature: Feature, message: (type: string) => string, field = 'object_type'): Rule =>
  (object, { before, featuresOf }) => {
    const type = String(object[field]);
    if (before?.[field] === type) return undefined;
    return featuresOf(type)?.has(feature) ? undefined : { __all__: [message(type)] };
  };

/** An object about another one is displayed by the name of that one. */
export const textOfObject: Display = { columns: [], related: ['object'], text: (_, [object]) => object ?? '' };
