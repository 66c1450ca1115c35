import { type Filter, type FilterSql, method } from '@cadastre/model';
import { TERMINABLE } from '../terminable.ts';

/**
 * Filters by the ids of the objects that cables end at, one for each type: `consoleport_id` … `where` restricts the
 * ends that count.
 */
export const terminationFilters = (
  where: (type: string) => (context: FilterSql, values: string[]) => string,
): Record<string, Filter> =>
  Object.fromEntries(TERMINABLE.map((type) => [`${type.split('.')[1]}_id`, method('number', where(type), true)]));
