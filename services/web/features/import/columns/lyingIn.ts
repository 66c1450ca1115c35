import type { Among, Catalogue } from '@cadastre/model';

/** A column that names an object. */
interface Other {
  name: string;
  of: string;
}

/**
 * Among what the objects of a column are looked for, out of the other columns of its row: what each of them must name as
 * the row does (a rack its site, a port its device), and what it may name that lies in that (a rack its location).
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
        // What goes with the other (a port with the module that brought it) says nothing of where things are.
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
