import type { Among, Catalogue } from '@cadastre/model';

/** A column that names an object. */
interface Other {
  name: string;
  of: string;
}

/**
 * The other columns of a row that limit the search for the objects of a column: those with which each object must agree
 * (the site of a rack, the device of a port), and those that it may name and that lie in the former (the location of a
 * rack).
 */
export function lyingIn(
  types: readonly string[],
  name: string,
  columns: readonly Other[],
  catalogue: Catalogue,
): Among {
  return Object.fromEntries(
    types.flatMap((type) => {
      const target = catalogue.models.get(type);
      if (!target) return [];
      const filters = catalogue.filtersOf(target);
      const belongs = new Set([target.belongsTo ?? []].flat());
      const others = columns.filter((other) => other.name !== name && `${other.name}_id` in filters);
      const names = (from: string, { name: field, of }: Other): 'must' | 'may' | undefined => {
        const { relation, required } = catalogue.models.get(from)?.fields[field] ?? {};
        if (relation?.many !== false || relation.to !== of) return undefined;
        // A reference that cascades (of a port to the module that brought it) says nothing about places.
        return required ? 'must' : relation.onDelete === 'cascade' ? undefined : 'may';
      };
      const isPlace = (other: Other): boolean =>
        other.of !== type &&
        !belongs.has(other.name) &&
        others.some((further) => names(type, further) === 'must' && names(other.of, further) === 'must');
      return others
        .filter((other) => names(type, other) === 'must' || (names(type, other) === 'may' && isPlace(other)))
        .map((other) => [`${other.name}_id`, other.name]);
    }),
  );
}
