import { members, type Model, orderTerm } from '@cadastre/model';
import { notPermitted, refuse } from '../../core/errors.ts';
import type { Cache } from '../../cache/cache.ts';
import type { CustomFieldDefinitions } from '../../cache/customFieldDefinitions.ts';
import { Binder, idsIn, type Statement } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import type { Query } from '../query/query.ts';
import { compileMembers, type Writer } from '../../serialize/writer.ts';
import { conditionsOf } from '../filters/conditions.ts';
import type { Finder } from '../filters/context.ts';
import { type Order, orderSql } from '../../order/order.ts';
import { allowedSql } from '../../visibility/permissions.ts';
import type { Action, Requester } from '../../core/requester.ts';

/** A request as statements: what to run, and how to print what comes back. */
export interface ListPlan {
  /** What distinguishes the page, and the count, from all others of the model. */
  pageName(): string;
  countName(): string;
  /** The page, with the select list that is wanted of its objects. */
  page(selected: string): Statement;
  /** The same page of a list of `total` objects, read from its end: the rows come in the opposite order. */
  fromEnd: ((selected: string, total: number) => Statement) | undefined;
  /**
   * The same page, looked for among the first `most` objects of the order, before any condition: going along the order
   * is quick where many objects match, but PostgreSQL cannot know how many do. Rows are missing where too few of those
   * objects match. Only for conditions that cost little for each object.
   */
  along: ((selected: string, most: number) => Statement) | undefined;
  /** How many objects match in all; null in cursor mode. */
  count: Statement | null;
  /** Types whose changes may change the count. */
  types: string[];
  /** Types whose changes may change which objects a page holds, in which order and in which states. */
  pageTypes: string[];
  writer: Writer;
  regexes: string[];
}

/**
 * The condition on a table's rows (as `t`) that a request's filters are, and its values, to which a statement may add
 * its own.
 */
export interface Selection {
  condition: string;
  values: unknown[];
  /** Parameters that hold regular expressions. */
  regexes: string[];
}

export interface Planner {
  tables: Tables;
  cache: Cache;
  find: Finder;
  definitions: CustomFieldDefinitions;
  maxRegexLength: number;
  maxRegexSize?: number | undefined;
}

const writers = new WeakMap<Model, Map<string, Writer>>();
/** How many shapes (`?fields=…`) of a model are kept compiled. */
const MAX_SHAPES = 500;

/** The compiled writer for what a request wants to see of a model: of one object, or of each in a list. */
export function writerFor(
  tables: Tables,
  model: Model,
  query: Pick<Query, 'fields' | 'omit' | 'brief' | 'exclude'>,
  of: 'one' | 'each' = 'one',
): Writer {
  const usual = !query.fields && !query.omit && !query.exclude.length;
  const whole = of === 'one' || !holdsBack(model);
  const names = () => visible(model, query, whole).filter((name) => !query.exclude.includes(name));
  const key = usual ? (query.brief ? 'summary' : whole ? 'complete' : 'listed') : names().join();
  let known = writers.get(model);
  if (!known) writers.set(model, (known = new Map()));
  let writer = known.get(key);
  if (!writer) {
    if (known.size >= MAX_SHAPES) known.clear();
    known.set(key, (writer = compileMembers(tables.catalogue, model, names())));
  }
  return writer;
}

const holding = new WeakMap<Model, boolean>();

/** Whether lists show less of a model than what is shown of one object. */
function holdsBack(model: Model): boolean {
  let known = holding.get(model);
  if (known === undefined) holding.set(model, (known = Object.values(model.fields).some((field) => field.inDetail)));
  return known;
}

function visible(
  model: Model,
  { fields, omit, brief }: Pick<Query, 'fields' | 'omit' | 'brief'>,
  whole: boolean,
): readonly string[] {
  const all = members(model, 'complete');
  if (fields) return members(model, 'nameable').filter((name) => fields.includes(name));
  const shown = brief ? members(model, 'summary') : whole ? all : all.filter((name) => !model.fields[name]?.inDetail);
  return omit ? shown.filter((name) => !omit.includes(name)) : shown;
}

/** @throws Refusal 403 without permission, 400 for wrong filter values */
export async function planList(
  planner: Planner,
  model: Model,
  query: Query,
  who: Requester,
  strict: boolean,
): Promise<ListPlan> {
  const { tables } = planner;
  const binder = new Binder();
  const conditions = await conditionsOf(model, query.filters, {
    tables,
    binder,
    find: planner.find,
    definitions: planner.definitions,
    maxRegexLength: planner.maxRegexLength,
    maxRegexSize: planner.maxRegexSize,
    strict,
    who,
  });
  const permission = permissionSql(tables, model, 'view', who, binder, conditions.types);
  if (permission) conditions.sql.push(permission);
  const writer = writerFor(tables, model, query, 'each');
  const unknown: string[] = [];
  const order =
    query.page.mode === 'cursor'
      ? { by: 't.id', joins: '', reversed: '', terms: [], types: [] }
      : orderSql(tables, model, query.ordering, who, (name) => unknown.push(name));
  if (strict) refuseUnknown(model, query, unknown);
  const from = `from ${tables.nameOf(model.name)} t`;
  const where = (extra: string[] = []) => {
    const all = [...conditions.sql, ...extra];
    return all.length ? ` where ${all.join(' and ')}` : '';
  };
  const count =
    query.page.mode === 'cursor' ? null : { text: `select count(*) ${from}${where()}`, values: [...binder.values] };
  const start = query.page.mode === 'cursor' ? [`t.id >= ${binder.bind(query.page.start)}`] : [];
  // A cursor page asks for one row more than it shows: whether there is a next page follows from that.
  const limit = query.page.limit
    ? ` limit ${binder.bind(query.page.limit + (query.page.mode === 'cursor' ? 1 : 0))}`
    : '';
  const all = `${from}${order.joins}${where(start)}`;
  const offset = query.page.mode === 'offset' && query.page.offset ? ` offset ${binder.bind(query.page.offset)}` : '';
  const page = (selected: string): Statement => ({
    text: `select ${selected} ${all} order by ${order.by}${limit}${offset}`,
    values: binder.values,
  });
  const pageName = kept(() => JSON.stringify([query.page, page('')]));
  const countName = kept(() => (count ? count.text + JSON.stringify(count.values) : ''));
  const fromEnd =
    count && query.page.mode === 'offset' && query.page.limit
      ? fromEndOf(all, order.reversed, count.values, query.page)
      : undefined;
  const isCheap = !conditions.regexes.length && ![...conditions.sql, order.by].some((sql) => /\bselect\b/i.test(sql));
  const along =
    count &&
    query.page.limit &&
    !query.ordering?.length &&
    conditions.sql.length &&
    isCheap &&
    !order.joins &&
    isIndexed(model)
      ? (selected: string, most: number): Statement => ({
          text: `select ${selected} ${firstOf(tables.nameOf(model.name), order, most)}${where()} order by ${order.terms.map(({ direction }, i) => `t."${TERM}${i}"${direction}`).join(', ')}${limit}${offset}`,
          values: binder.values,
        })
      : undefined;
  const types = [model.name, ...conditions.types];
  const pageTypes = order.types.length ? [...new Set([...types, ...order.types])] : types;
  const { regexes } = conditions;
  return { page, pageName, fromEnd, along, count, countName, types, pageTypes, writer, regexes };
}

/** A text that is made when somebody asks for it first. */
function kept(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}

/**
 * The condition of a request's filters and of what the requester may do. Names that are not filters are refused: the
 * client gets no list in which it could see that a filter was ignored.
 */
export async function planSelection(
  planner: Planner,
  model: Model,
  query: Query,
  who: Requester,
  action: Action,
): Promise<Selection> {
  const { tables } = planner;
  const binder = new Binder();
  const { sql, regexes } = await conditionsOf(model, query.filters, {
    tables,
    binder,
    find: planner.find,
    definitions: planner.definitions,
    maxRegexLength: planner.maxRegexLength,
    maxRegexSize: planner.maxRegexSize,
    strict: true,
    who,
  });
  const permission = permissionSql(tables, model, action, who, binder);
  return {
    condition: [...sql, ...(permission ? [permission] : [])].join(' and ') || 'true',
    values: binder.values,
    regexes,
  };
}

/** Whether there is an index for a model's own order: long texts and lists have none. */
const isIndexed = (model: Model): boolean =>
  model.ordering.length > 0 &&
  model.ordering.every((term) => {
    const type = model.fields[orderTerm(model, term).field]?.column?.type;
    return type !== undefined && type !== 'text' && type !== 'jsonb' && !type.endsWith('[]');
  });

/** The prefix of the names of columns that hold the terms of an order. */
const TERM = '_term';

/**
 * The first rows of the order, with its terms as columns, so that PostgreSQL sees that the rows it takes from them are
 * sorted.
 */
const firstOf = (table: string, { by, terms }: Order, most: number): string =>
  `from (select t.*, t.xmin, ${terms.map(({ sql }, i) => `${sql} as "${TERM}${i}"`).join(', ')} from ${table} t order by ${by} limit ${most}) t`;

function fromEndOf(
  all: string,
  reversed: string,
  values: unknown[],
  { limit, offset }: { limit: number; offset: number },
) {
  return (selected: string, total: number): Statement => {
    const left = Math.max(total - offset, 0);
    const taken = Math.min(limit, left);
    return {
      text: `select ${selected} ${all} order by ${reversed} limit $${values.length + 1} offset $${values.length + 2}`,
      values: [...values, taken, left - taken],
    };
  };
}

function refuseUnknown(model: Model, query: Query, ordering: string[]): void {
  const errors: Record<string, string[]> = {};
  const known = new Set(members(model, 'nameable'));
  for (const name of ordering) (errors['ordering'] ??= []).push(`Unknown field: ${name}`);
  for (const parameter of ['fields', 'omit'] as const)
    for (const name of query[parameter] ?? [])
      if (!known.has(name)) (errors[parameter] ??= []).push(`Unknown field: ${name}`);
  if (Object.keys(errors).length) throw Object.assign(refuse(400, ''), { body: errors });
}

/** SQL of what the requester's permissions leave of a model. @throws Refusal 403 when that is nothing */
export function permissionSql(
  tables: Tables,
  model: Model,
  action: Action,
  who: Requester,
  binder: Binder,
  types?: Set<string>,
): string | undefined {
  const permission = allowedSql(tables, model, action, who, binder, types);
  if (permission === false) throw notPermitted(who);
  return permission;
}

/**
 * The statement for what is selected of the objects whose ids are `$1`, of those that the requester may see; the values
 * are those after it.
 * @param types gets the types, besides the model's own, on which it depends what the requester may see
 */
export function planDetail(
  tables: Tables,
  model: Model,
  selected: string,
  who: Requester,
  action: Action = 'view',
  types?: Set<string>,
): Statement {
  const binder = new Binder();
  const own = `t.id = ${idsIn(binder.bind(null))}`;
  const permission = permissionSql(tables, model, action, who, binder, types);
  return {
    text: `select ${selected} from ${tables.nameOf(model.name)} t where ${own}${permission ? ` and ${permission}` : ''}`,
    values: binder.values.slice(1),
  };
}
