import { createHash } from 'node:crypto';

const LONGEST = 63;

/**
 * A name made of the parts, shortened (with a digest in place of what is cut) if PostgreSQL would truncate it silently.
 */
function named(...parts: string[]): string {
  const name = parts.join('_');
  if (name.length <= LONGEST) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const end = parts.at(-1)!;
  return `${name.slice(0, LONGEST - digest.length - end.length - 2)}_${digest}_${end}`;
}

/** A column whose values are unique. */
export const uniqueColumnName = (table: string, column: string): string => named(table, column, 'key');

/** Fields that are unique together, or only among some of the rows. */
export const uniqueSetName = (table: string, fields: readonly string[]): string => named(table, ...fields, 'uniq');

export const indexName = (table: string, columns: readonly string[]): string => named(table, ...columns, 'idx');

export const foreignKeyName = (table: string, column: string): string => named(table, column, 'fk');
