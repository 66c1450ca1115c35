import { columnName, type Json, type Model, quote, type Unique, type Values } from '@cadastre/model';
import { perModel } from '../../db/perModel.ts';
import { type Executor, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import type { Item } from '../context/item.ts';
import { recordType } from '../../db/values.ts';

/** A set of columns whose values no two objects share, and the message for those that would. */
export interface Rule {
  single: boolean;
  columns: string[];
  folded: ReadonlySet<string>;
  where: string | undefined;
  key: string;
  message: string;
  each: string[];
  of?: Unique;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The uniqueness rules of a model: of single fields, and of sets. */
export function uniqueRules(model: Model): Rule[] {
  const single = Object.entries(model.fields)
    .filter(([, f]) => f.column?.unique)
    .map(
      ([name, f]): Rule => ({
        single: true,
        columns: [columnName(name, f)],
        folded: new Set(),
        where: undefined,
        key: name,
        message: `${model.label} with this ${label(name)} already exists.`,
        each: [name],
      }),
    );
  return [...single, ...model.unique.map((u) => setRule(model, u))];
}

function setRule(model: Model, u: Unique): Rule {
  const columns = u.fields.map((name) => columnName(name, model.fields[name]!));
  const names = u.fields.map((name) => capital(label(name)));
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0]!;
  return {
    single: false,
    columns,
    folded: new Set(u.ignoreCase),
    where: u.where,
    key: u.key ?? '__all__',
    message: u.message ?? `${capital(model.label)} with this ${list} already exists.`,
    each: u.fields,
    of: u,
  };
}

const label = (name: string): string => name.replaceAll('_', ' ');

/**
 * The rules of a model, the columns that they look at with the field of each, and the statement that checks them all.
 */
interface Check {
  rules: Rule[];
  columns: [column: string, field: string][];
  text: string;
}

const checkOf = perModel((tables, model): Check => {
  const rules = uniqueRules(model);
  const kept = tables.columnsOf(model);
  const fieldOf = new Map(Object.entries(model.fields).map(([name, f]) => [columnName(name, f), name]));
  const names = [
    ...new Set(
      rules.flatMap((r) => [
        ...r.columns,
        ...[...kept.keys()].filter((c) => c !== 'id' && new RegExp(`\\b${c}\\b`).test(r.where ?? '')),
      ]),
    ),
  ];
  const list = `jsonb_to_recordset($1::jsonb) as r(n integer, id bigint, ${names.map((c) => `${quote(c)} ${recordType(kept.get(c)!)}`).join(', ')})`;
  const parts = rules.map(
    (rule, i) =>
      `select r.n, ${i}::int as rule from ${list}, ${takenLateral(tables, model, rule, 'and t.id is distinct from r.id')}`,
  );
  return { rules, columns: names.map((c) => [c, fieldOf.get(c)!]), text: parts.join(' union all ') };
});

/** A lateral subquery `found`: whether another row takes the values of a row `r` by a rule. */
function takenLateral(tables: Tables, model: Model, rule: Rule, besides = ''): string {
  const table = tables.nameOf(model.name);
  const kept = tables.columnsOf(model);
  const same = rule.columns.map((c) => equality(c, rule, kept.get(c)!.nullable)).join(' and ');
  // A partial rule applies to pairs of rows that both meet its condition; the inner select makes its bare column names
  // unambiguous.
  const partial = rule.where ? ` and (select ${rule.where} from (select r.*) x)` : '';
  // Compares each object by itself, by the index: PostgreSQL cannot know how few there are, and would read the whole
  // table to compare them with.
  return `lateral (select from ${rule.where ? `(select * from ${table} where ${rule.where})` : table} t where ${same} ${besides}${partial} limit 1) found`;
}

/**
 * A query for new rows whose unique values are taken; `rows` is a relation with all their columns. Undefined without
 * rules.
 */
export function takenSql(tables: Tables, model: Model, rows: string): string | undefined {
  const parts = uniqueRules(model).map((rule) => `select from ${rows} r, ${takenLateral(tables, model, rule)}`);
  return parts.length ? parts.join(' union all ') : undefined;
}

/**
 * In a set of columns NULL equals NULL, as an absent parent is one place; written so that an index can be used. A
 * single column that is NULL is not compared.
 */
export function equality(column: string, rule: Rule, nullable: boolean): string {
  const [mine, theirs] = ['t', 'r'].map((alias) =>
    rule.folded.has(column) ? `lower(${alias}.${quote(column)})` : `${alias}.${quote(column)}`,
  );
  if (!nullable || rule.columns.length === 1 || new RegExp(`\\b${column} is not null`).test(rule.where ?? ''))
    return `${mine} = ${theirs}`;
  return `(${mine} = ${theirs} or (${mine} is null and ${theirs} is null))`;
}

/**
 * The statement that compares objects with existing ones; `$1`: JSON of rows with their number, id and compared
 * columns.
 */
export const uniqueStatement = (tables: Tables, model: Model): string => checkOf(tables, model).text;

/**
 * Compares objects that are to be stored with existing ones, if something has changed by which they are compared. One
 * statement. Messages of single fields go into the items at once, as a field that is wrong by itself keeps rules from
 * running; those of sets when the returned function is called, after the rules, for the objects whose rules ran: as in
 * the reference, an object is only examined as a whole when each of its fields is valid.
 */
export async function checkUnique(
  tables: Tables,
  model: Model,
  items: { item: Item; object: Record<string, Json>; before?: Values | null }[],
  executor: Executor,
): Promise<() => void> {
  const { rules, columns, text } = checkOf(tables, model);
  const rows = items.flatMap(({ item, object, before }, n) =>
    before && columns.every(([, field]) => (before[field] ?? null) === (object[field] ?? null))
      ? []
      : {
          n,
          id: item.id ?? null,
          ...Object.fromEntries(columns.map(([column, field]) => [column, object[field] ?? null])),
        },
  );
  if (!rules.length || !rows.length) return () => undefined;
  const answer = await rowsOf(executor, { text, values: [JSON.stringify(rows)] });
  const taken = answer
    .sort((a, b) => Number(a[1]) - Number(b[1]))
    .map(([n, i]) => ({ item: items[Number(n)]!.item, rule: rules[Number(i)]! }));
  for (const { item, rule } of taken) if (rule.single) addMessage(item, rule);
  const whole = new Set(
    items.flatMap(({ item }) => (Object.keys(item.errors).every((key) => key === '__all__') ? [item] : [])),
  );
  return () => {
    // A field that is wrong by itself is not compared, as in the reference.
    const left = taken.filter(
      ({ item, rule }) => !rule.single && whole.has(item) && !rule.each.some((name) => name in item.errors),
    );
    for (const { item, rule } of left) addMessage(item, rule);
  };
}

function addMessage(item: Item, rule: Rule): void {
  const list = (item.errors[rule.key] ??= []) as string[];
  if (!list.includes(rule.message)) list.push(rule.message);
}

const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because a unique value is taken. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === UNIQUE_VIOLATION;

/** Whether storing failed for that reason, and messages about it have gone into the items. */
export const addIfTaken = (
  model: Model,
  error: unknown,
  items: { item: Item; object: Record<string, Json> }[],
): boolean => isUniqueViolation(error) && addViolation(model, error as { detail?: string }, items);

/**
 * Turns a violation that PostgreSQL reported into messages of the items that caused it (two of one request, or a race).
 */
export function addViolation(
  model: Model,
  error: { constraint?: string; detail?: string },
  items: { item: Item; object: Record<string, Json> }[],
): boolean {
  const key = /^Key \((.+)\)=\(/.exec(error.detail ?? '')?.[1];
  const columns = key?.split(', ').map((c) =>
    c
      .replaceAll('"', '')
      .replace(/^lower\((.+)::text\)$/, '$1')
      .replace(/^\((.+)\)$/, '$1'),
  );
  const rule = columns && uniqueRules(model).find((r) => r.columns.join() === columns.join());
  if (!rule) return false;
  const seen = new Map<string, true>();
  let said = false;
  for (const { item, object } of items) {
    const value = JSON.stringify(
      rule.each.map((name) => (rule.folded.has(name) ? String(object[name]).toLowerCase() : (object[name] ?? null))),
    );
    if (seen.has(value)) {
      addMessage(item, rule);
      said = true;
    }
    seen.set(value, true);
  }
  if (!said) for (const { item } of items.slice(0, 1)) addMessage(item, rule);
  return true;
}

/** Objects that no client sent, each with an item to collect messages in. */
export const draftsOf = (objects: Values[]): { object: Values; item: Item }[] =>
  objects.map((object, i) => ({ object, item: emptyItem(i, object) }));

const emptyItem = (index: number, object: Values): Item => ({
  index,
  given: {},
  values: object,
  references: new Map(),
  addTags: [],
  removeTags: [],
  customFields: undefined,
  rows: new Map(),
  readMessage: '',
  errors: {},
  ...(typeof object['id'] === 'number' ? { id: object['id'] } : {}),
});
