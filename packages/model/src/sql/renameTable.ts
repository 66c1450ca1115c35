import { quote } from './columns.ts';

/**
 * Statements that rename a table and those of its indexes that are named after it. @param indexes what follows the
 * table's name in theirs, such as `pkey`
 */
export const renameTable = (from: string, to: string, ...indexes: string[]): string[] => [
  `alter table ${quote(from)} rename to ${quote(to)}`,
  ...indexes.map((end) => `alter index ${quote(`${from}_${end}`)} rename to ${quote(`${to}_${end}`)}`),
];
