import { aboutColumns, type Catalogue, members, type Model, type Path, quote, tellsAbout } from '@cadastre/model';
import { typesViewed } from '../../visibility/visibility.ts';
import { allowedSql } from '../../visibility/permissions.ts';
import type { FilterContext } from './context.ts';

/**
 * The SQL condition that the requester may view a row of a type which another condition leads over; undefined where no
 * condition is needed.
 */
export type VisibleSql = (type: string, alias: string) => string | undefined;

export const and = (condition: string | undefined): string => (condition === undefined ? '' : ` and ${condition}`);

export const visibleOnly =
  ({ tables, binder, who }: FilterContext, types: Set<string>): VisibleSql =>
  (type, alias) => {
    const allowed = allowedSql(tables, tables.catalogue.get(type), 'view', who, binder, types, alias);
    return allowed === false ? 'false' : allowed;
  };

/** Whether a column at the end of a path is shown with every object that the path starts at, as part of a reference. */
export function isBriefed(catalogue: Catalogue, { fields }: Model, path: Path, name: string): boolean {
  const { relation, hidden } = fields[path[0]!] ?? {};
  return (
    path.length === 1 &&
    relation !== undefined &&
    !hidden &&
    relation.form !== 'id' &&
    members(catalogue.get(relation.to), relation.form).includes(name)
  );
}

/**
 * A condition on a column of the model itself. On a column that reveals something of what objects are about, it matches
 * only where the requester may view that for certain.
 */
export function visibleAboutOnly(
  model: Model,
  field: string,
  condition: string | undefined,
  { tables, binder, who }: FilterContext,
): string | undefined {
  if (!condition || !tellsAbout(model, field)) return condition;
  const open = typesViewed(tables, who);
  return open
    ? `(${condition} and t.${quote(aboutColumns(model, model.about!).type)} = any(${binder.bind(open)}::text[]))`
    : condition;
}
