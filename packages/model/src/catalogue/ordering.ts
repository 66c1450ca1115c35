import { columnName, orderTerm } from '../sql/columns.ts';
import type { Field, Model } from '../types/model.ts';

/** References are followed this far where objects are sorted by what they refer to. */
export const DEEPEST = 3;

/** The terms of a model's default order: those that it declares; a tree without any is listed branch by branch. */
export const orderingOf = ({ ordering, tree }: Pick<Model, 'ordering' | 'tree'>): readonly string[] =>
  ordering.length ? ordering : tree ? ['_sort'] : [];

/** The type whose objects a field lists; rows that are part of an object have an order of their own (`owned`). */
export function listedBy({ relation, reverse, owned }: Field): string | undefined {
  if (relation?.many) return relation.to;
  return reverse?.as === 'list' && !owned ? reverse.from : undefined;
}

/**
 * The columns, by type, that the default order of a type's objects depends on. The type itself comes first, then the
 * types that its objects are sorted by over references. Types that do not exist (yet) are left out.
 */
export function orderedBy(models: ReadonlyMap<string, Model>, type: string): ReadonlyMap<string, ReadonlySet<string>> {
  const columns = new Map<string, Set<string>>();
  const visit = (at: string, depth: number): void => {
    const model = models.get(at);
    if (!model) return;
    const own = columns.get(at) ?? new Set<string>();
    columns.set(at, own);
    for (const term of orderingOf(model)) {
      const { field: name, byId } = orderTerm(model, term);
      const field = model.fields[name];
      if (field && !field.column) continue;
      own.add(field ? columnName(name, field) : name);
      if (field?.relation && !field.relation.many && !byId && depth < DEEPEST) visit(field.relation.to, depth + 1);
    }
  };
  visit(type, 0);
  return columns;
}
