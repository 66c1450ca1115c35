import { isoSql } from '@cadastre/model';

/** SQL of a value as the API shows it, by the type of its column; PostgreSQL's own JSON is right for all others. */
const FORMS: Readonly<Record<string, (column: string) => string>> = {
  timestamptz: (column) => `replace(${isoSql(column)}, '.000000Z', 'Z')`,
  // Cast to text they have a mask, which JSON omits for a single host.
  inet: (column) => `text(${column})`,
  cidr: (column) => `text(${column})`,
  macaddr: (column) => `upper(${column}::text)`,
  macaddr8: (column) => `upper(${column}::text)`,
  _int4range: (column) => pairs(column),
  _int8range: (column) => pairs(column),
};

/** Ranges as pairs of the first and the last value of each: a range of PostgreSQL excludes its upper bound. */
const pairs = (column: string): string =>
  `(case when ${column} is not null then coalesce((select json_agg(json_build_array(lower(r), upper(r) - 1) order by n)
    from unnest(${column}) with ordinality u(r, n)), '[]') end)`;

/** @param type as `pg_type` names it, an array with `_` before it */
export const shown = (column: string, type: string): string => FORMS[type]?.(column) ?? column;

/** The name of a type of objects, from the column with its number. */
export const typeName = (column: string): string =>
  `(select app_label || '.' || model from django_content_type where id = ${column})`;
