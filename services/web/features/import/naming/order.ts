import { type Catalogue, isDict, type Json, type Model } from '@cadastre/model';
import type { Draft } from '../drafts/draft.ts';
import type { FileColumn } from '../columns/fileColumns.ts';

export const isSaid = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== '';

/** The type of the objects that a column names in a row; undefined if the row does not have it. */
export function typeOf({ naming }: FileColumn, { body, said, before }: Draft): string | undefined {
  const { of, ofColumn, types } = naming!;
  if (typeof of === 'string') return of;
  if (of) return Object.entries(of).find(([column]) => isSaid(said[column]))?.[1];
  const value = ofColumn === undefined ? undefined : (body[ofColumn] ?? said[ofColumn] ?? before?.[ofColumn]);
  const plain = isDict(value) && 'value' in value ? value['value'] : value;
  return typeof plain !== 'string' ? undefined : types ? types[plain] : plain;
}

/** The id of the object that a column of a row names, or of that object's container: `device`, `device.site`. */
function idAt(path: string, { found, before }: Draft): number | undefined {
  const [column = '', member] = path.split('.');
  const held = before?.[column];
  const object = found[column]?.object ?? (isDict(held) ? held : undefined);
  const meant = member === undefined ? object : object?.[member];
  return isDict(meant) && typeof meant['id'] === 'number' ? meant['id'] : undefined;
}

/** The places in which the objects of a column are searched for, as filters of their list. */
export function placesOf(
  { naming }: FileColumn,
  draft: Draft,
  model: Model,
  catalogue: Catalogue,
  how: 'among' | 'rather' = 'among',
): Record<string, number> {
  const filters = catalogue.filtersOf(model);
  return Object.fromEntries(
    Object.entries(naming![how]).flatMap(([filter, path]): [string, number][] => {
      const id = filter in filters ? idAt(path, draft) : undefined;
      return id === undefined ? [] : [[filter, id]];
    }),
  );
}

/** The columns with references, in stages: a column comes after those that limit its search. */
export function stagesOf(drafts: readonly Draft[]): ReadonlySet<string>[] {
  const columns = new Map(drafts.flatMap(({ named }) => named.map(({ column }) => [column.name, column] as const)));
  const depths = new Map<string, number>();
  const depthOf = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    // Columns that limit each other's search would recurse without end.
    depths.set(name, 0);
    const { naming } = columns.get(name) ?? {};
    const before = naming
      ? [
          ...Object.values(naming.among),
          ...Object.values(naming.rather),
          ...(typeof naming.of === 'object' ? Object.keys(naming.of) : []),
        ]
      : [];
    const depth = before.reduce((most, path) => Math.max(most, 1 + depthOf(path.split('.')[0]!)), 0);
    depths.set(name, depth);
    return depth;
  };
  const stages: Set<string>[] = [];
  for (const name of columns.keys()) (stages[depthOf(name)] ??= new Set()).add(name);
  return stages.filter(Boolean);
}
