import { type Dict, fullMoment, isDict, type Model, quote } from '@cadastre/model';
import type { Collection } from '../source.ts';
import { BOOKKEEPING } from './differences.ts';
import type { CustomFields, Layout } from './layout.ts';
import { type Member, membersOf, strangersMembers } from './members.ts';
import { tableOf } from './places.ts';
import { snapshotsIn } from './snapshots.ts';

/** How the objects of a collection are read. */
export interface Plan {
  collection: Omit<Collection, 'count'>;
  table: string;
  /** The members that it reads. */
  fields: readonly string[];
  /** Objects above the id `$1`, at most `$2` of them, by ascending id: one column, the JSON text of each. */
  page: string;
  /** Turns a row of a page into the representation of the object. */
  finish(row: Dict): Dict;
}

/**
 * All types that the database has objects of: those that we know, and those that we do not know and that NetBox keeps
 * for users.
 */
export function plansOf(models: ReadonlyMap<string, Model>, layout: Layout): Plan[] {
  const known = [...models.values()].filter(({ name, part }) => part !== 'hidden' && isReadable(name, layout));
  const strangers = [...layout.types.keys()].filter(
    (type) => !models.has(type) && !isBookkeeping(type) && isReadable(type, layout),
  );
  return [
    ...known.map((model) => knownPlan(model, layout, models)),
    ...strangers.map((type) => strangersPlan(type, layout)),
  ];
}

const isReadable = (type: string, { tables }: Layout): boolean => tables.get(tableOf(type))?.has('id') ?? false;

const isBookkeeping = (type: string): boolean => BOOKKEEPING.has(type) || BOOKKEEPING.has(type.split('.')[0]!);

function knownPlan(model: Model, layout: Layout, models: ReadonlyMap<string, Model>): Plan {
  const members = membersOf(model, layout, models);
  const unknown = members.filter((one) => one.unknown).map(({ name }) => name);
  const custom = Object.entries(model.fields).find(([, field]) => field.special === 'customFields')?.[0];
  const cleaned = snapshotsIn(model.name, layout);
  const customFields = layout.customFields.get(model.name) ?? {};
  return {
    collection: { type: model.name, path: `${model.app}/${model.path}` },
    table: tableOf(model.name),
    fields: members.map(({ name }) => name),
    page: pageSql(tableOf(model.name), members),
    finish(row) {
      for (const name of unknown) if (isEmpty(row[name])) delete row[name];
      if (custom !== undefined && custom in row) row[custom] = ofFields(customFields, row[custom]);
      return cleaned(row);
    },
  };
}

function strangersPlan(type: string, { tables }: Layout): Plan {
  const path = type.replace('.', '/');
  const table = tableOf(type);
  const members = strangersMembers(tables.get(table)!);
  return {
    collection: { type: path, path },
    table,
    fields: members.map(({ name }) => name),
    page: pageSql(table, members),
    finish: (row) => row,
  };
}

const pageSql = (table: string, members: readonly Member[]): string =>
  `select row_to_json(r)::text from (select ${members.map(({ name, sql }) => `${sql} as ${quote(name)}`).join(', ')}
    from ${quote(table)} t where t.id > $1 order by t.id limit $2) r`;

/** The values of all custom fields that are defined, as the API shows them: null where an object has none. */
const ofFields = (fields: CustomFields, data: Dict[string] | undefined): Dict =>
  Object.fromEntries(
    Object.entries(fields).map(([name, kind]) => [name, shownValue(kind, isDict(data) ? data[name] : undefined)]),
  );

/** Times are stored as they were written, and shown in full. */
const shownValue = (kind: string, value: Dict[string] | undefined): Dict[string] =>
  (kind === 'datetime' && typeof value === 'string' ? fullMoment(value) : undefined) ?? value ?? null;

/** Whether a value is empty. */
const isEmpty = (value: Dict[string] | undefined): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
