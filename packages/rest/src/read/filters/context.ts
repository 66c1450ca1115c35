import { type FilterSql, typeId } from '@cadastre/model';
import type { Binder } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import type { Comparing } from '../lookups/compare.ts';
import type { Requester } from '../../core/requester.ts';
import type { CustomFieldDefinitions } from '../../cache/customFieldDefinitions.ts';

/** Values of a related filter that must be turned into ids before the condition can be written. */
export interface Wanted {
  type: string;
  by: string;
  values: string[];
  tree: boolean;
}

/** Finds the ids of objects that filter values name: for each value its ids, none when there is no such object. */
export type Finder = (wanted: Wanted) => Promise<Map<string, string[]>>;

export interface FilterContext {
  tables: Tables;
  binder: Binder;
  find: Finder;
  definitions: CustomFieldDefinitions;
  maxRegexLength: number;
  maxRegexSize?: number | undefined;
  /** Unknown names are errors (`Prefer: handling=strict`). */
  strict: boolean;
  who: Requester;
}

/** What SQL written by hand may use. The tables that it names are among those that the answer depends on. */
export const sqlContext = ({ tables, binder, who }: FilterContext, types: Set<string>): FilterSql => ({
  table: 't',
  requester: who.userId,
  bind: binder.bind,
  typeId,
  typeById: (id) => tables.catalogue.typeById(id),
  has: (type) => tables.has(type),
  tableOf: (type) => {
    types.add(type);
    return tables.nameOf(type);
  },
});

/** Ids of the objects that values name; undefined (after `fail`) when one names none. */
export async function idsOf(
  { values, ...by }: Wanted,
  context: FilterContext,
  comparing: Comparing,
): Promise<string[] | undefined> {
  if (by.by === 'id') {
    const wrong = values.find((v) => !/^\s*\d{1,18}\s*$/.test(v));
    if (wrong !== undefined)
      return void comparing.fail(`Select a valid choice. ${wrong} is not one of the available choices.`);
  }
  // Ids are numbers: `01` is 1.
  const wanted: Wanted = { ...by, values: by.by === 'id' ? values.map((v) => String(BigInt(v))) : values };
  const found = await context.find(wanted);
  const missing = wanted.values.find((v) => !found.get(v)?.length);
  if (missing !== undefined)
    return void comparing.fail(`Select a valid choice. ${missing} is not one of the available choices.`);
  return [...new Set(wanted.values.flatMap((v) => found.get(v)!))];
}
