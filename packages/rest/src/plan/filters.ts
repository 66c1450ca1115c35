import {
  aboutColumns,
  addressText,
  type Catalogue,
  columnName,
  type Field,
  type Filter,
  type FilterSql,
  lookups,
  type Lookup,
  members,
  type Model,
  networkOf,
  type Path,
  quote,
  searchPlace,
  type SearchManner,
  sortedBy,
  splitLookup,
  type Step,
  tellsAbout,
  typeId,
} from '@cadastre/model';
import { refuse } from '../errors.ts';
import type { Query } from '../request/query.ts';
import { type Binder, likeText } from '../query/sql.ts';
import { typesViewed } from '../query/sees.ts';
import type { Tables } from '../query/tables.ts';
import { compare, type Comparing, type Operand } from './compare.ts';
import { reverseOrder } from './reverseOrder.ts';
import { customFieldCondition, customFilterNamed } from './customFieldFilters.ts';
import { allowedSql, type Requester } from './permissions.ts';
import { keyedCondition, keyedFilterNamed } from './keyedFilters.ts';
import type { CustomFieldDefinitions } from '../query/customFields.ts';

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

/** The conditions of a request's filters, and what they depend on. */
export interface Conditions {
  sql: string[];
  /** Types whose objects the conditions look at, besides the model's own. */
  types: Set<string>;
  /** Parameters that hold regular expressions. */
  regexes: string[];
}

/** @throws Refusal 400 that names every parameter with a wrong value */
export async function conditionsOf(
  model: Model,
  filters: Query['filters'],
  context: FilterContext,
): Promise<Conditions> {
  const known = context.tables.catalogue.filtersOf(model);
  const out: Conditions = { sql: [], types: new Set(), regexes: [] };
  const errors: Record<string, string[]> = {};
  for (const [parameter, given] of filters) {
    const values = given.filter((v) => v !== '');
    const found = filterNamed(known, parameter);
    if (!found) {
      const member = keyedFilterNamed(known, parameter);
      if (member) {
        if (values.length) add(keyedCondition(member, values, comparing(parameter)));
        continue;
      }
      const custom = parameter.startsWith('cf_')
        ? customFilterNamed(context.definitions.of(model.name), parameter)
        : undefined;
      if (custom && values.length) add(customFieldCondition(custom, values, comparing(parameter)));
      if (!custom && context.strict) errors[parameter] = ['Unknown filter.'];
      continue;
    }
    if (values.length)
      add(await condition(model, found[0], found[1], values, context, comparing(parameter), out.types));
  }
  if (Object.keys(errors).length) throw Object.assign(refuse(400, ''), { body: errors });
  return out;

  function add(sql: string | undefined): void {
    if (sql) out.sql.push(sql);
  }
  function comparing(parameter: string): Comparing {
    return {
      binder: context.binder,
      maxRegexLength: context.maxRegexLength,
      maxRegexSize: context.maxRegexSize,
      fail: (message) => {
        (errors[parameter] ??= []).push(message);
      },
      regex: () => {
        out.regexes.push(parameter);
      },
    };
  }
}

/** A parameter's filter and lookup, or undefined when there is none of that name. */
function filterNamed(known: Record<string, Filter>, parameter: string): [Filter, Lookup, string] | undefined {
  const whole = own(known, parameter);
  if (whole && whole.kind !== 'keyed') return [whole, { compare: 'exact', negated: false }, ''];
  const [name, suffix] = splitLookup(parameter);
  const filter = own(known, name);
  const lookup = filter && suffix ? own(lookupsOf(filter), suffix) : undefined;
  return filter && lookup ? [filter, lookup, suffix] : undefined;
}

/** A member that a client named; what every object inherits (`constructor` …) is none. */
const own = <T>(object: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const PLAIN: Record<string, Lookup> = { '': { compare: 'exact', negated: false } };
const NEGATABLE: Record<string, Lookup> = { ...PLAIN, n: { compare: 'exact', negated: true } };
/** `any` of a tag filter is told from the plain one by its own comparison. */
const TAG: Record<string, Lookup> = { ...NEGATABLE, any: { compare: 'contains', negated: false } };

/** The lookups of a filter by suffix. */
export function lookupsOf(filter: Filter): Record<string, Lookup> {
  if (filter.kind === 'column' && filter.compare) return PLAIN;
  if (filter.kind === 'column' || filter.kind === 'through') return lookups[filter.family];
  if (filter.kind === 'typeId' && filter.ordered) return lookups.number;
  if (filter.kind === 'related' || filter.kind === 'typeId') return NEGATABLE;
  if (filter.kind === 'tag') return TAG;
  // Its parameters are as many as there are keys.
  if (filter.kind === 'keyed') return {};
  if (filter.kind === 'either')
    return Object.fromEntries(
      Object.entries(lookupsOf(filter.of[0]!)).filter(([suffix]) =>
        filter.of.every((part) => suffix in lookupsOf(part)),
      ),
    );
  return PLAIN;
}

async function condition(
  model: Model,
  filter: Filter,
  lookup: Lookup,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  const { tables } = context;
  switch (filter.kind) {
    case 'column':
      // Who may see an object may not find out its secret by trying; only whether there is one is told.
      if (model.fields[filter.field]?.secret && lookup.compare !== 'empty') return lookup.negated ? undefined : 'false';
      return toldOnly(
        model,
        filter.field,
        compare(
          counted(model, filter.field, tables, types) ?? operandOf(model, filter.field, 't'),
          filter.family,
          comparisonOf(filter, lookup),
          values,
          comparing,
        ),
        context,
      );
    case 'search':
      return search(model, values, sqlContext(context, types), context, types);
    case 'request':
      return request(model, filter.actions, values, comparing);
    case 'tag':
      return tag(filter.by, lookup, values, context, comparing, types);
    case 'typeId':
      return typeIds(model, tables.catalogue, filter.field, lookup, values, comparing);
    case 'related':
      return related(model, filter, lookup, values, context, comparing, types);
    case 'through':
      return through(model, filter, lookup, values, context, comparing, types);
    case 'keyed':
      return undefined;
    case 'either':
      return either(model, filter.of, lookup, values, context, comparing, types);
    case 'method':
      return byMethod(filter, values, context, comparing, types);
    case 'objects':
      return byObjects(filter, values, context, comparing, types);
  }
}

/** What SQL written by hand may use. The tables that it names are among those that the answer depends on. */
const sqlContext = ({ tables, binder, who }: FilterContext, types: Set<string>): FilterSql => ({
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

/**
 * That one of the filters holds. A value need not mean something to each of them, but must to one; `null` stands for
 * objects that have none of what they speak of. A filter that leads over a model that does not exist (yet) holds for
 * nothing.
 */
async function either(
  model: Model,
  filters: readonly Filter[],
  lookup: Lookup,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  const positive: Lookup = { ...lookup, negated: false };
  const known = filters.filter((part) => !('path' in part) || context.tables.catalogue.steps(model, part.path)),
    parts = known.length ? known : filters.slice(0, 1);
  const nulls = parts.every((part) => part.kind === 'related') && values.includes('null'),
    rest = nulls ? values.filter((v) => v !== 'null') : values;
  const understood = new Set<string>(),
    problems = new Map<string, string>(),
    any: string[] = [];
  const attempt = async (part: Filter, given: string[]): Promise<boolean> => {
    let failed = false;
    const sql = await condition(
      model,
      part,
      positive,
      given,
      context,
      {
        ...comparing,
        fail: (message) => {
          failed = true;
          problems.set(given[0]!, message);
        },
      },
      types,
    );
    if (failed) return false;
    for (const value of given) understood.add(value);
    if (sql) any.push(sql);
    return true;
  };
  for (const part of rest.length ? parts : [])
    if (!(await attempt(part, rest)) && rest.length > 1) for (const value of rest) await attempt(part, [value]);
  const unknown = rest.find((value) => !understood.has(value));
  if (unknown !== undefined) return void comparing.fail(problems.get(unknown)!);
  if (nulls) {
    const none: string[] = [];
    for (const part of parts) none.push((await condition(model, part, positive, ['null'], context, comparing, types))!);
    any.push(`(${none.join(' and ')})`);
  }
  if (!any.length) return undefined;
  const whole = any.length > 1 ? `(${any.join(' or ')})` : any[0]!;
  return lookup.negated ? `(${whole}) is not true` : whole;
}

/** How a column is compared: in the one way that its filter says, or as the request asks. */
function comparisonOf(filter: Extract<Filter, { kind: 'column' }>, lookup: Lookup): Lookup {
  if (filter.compare) return { compare: filter.compare, negated: false };
  return filter.caseless && lookup.compare === 'exact' && !lookup.negated
    ? { compare: 'iexact', negated: false }
    : lookup;
}

/** A count as a number to compare, or undefined for what is a column. */
function counted(model: Model, name: string, tables: Tables, types: Set<string>): Operand | undefined {
  const field = model.fields[name];
  if (!field?.reverse) return undefined;
  for (const type of tables.catalogue.countedOver(field)) types.add(type);
  return { sql: reverseOrder(tables, model, field)[0] ?? '0', type: 'bigint', array: false };
}

/** A column of a model in a statement where its table has the alias. */
export function operandOf(model: Model, name: string, alias: string): Operand {
  if (name === 'id') return { sql: `${alias}.id`, type: 'bigint', array: false };
  const field: Field = model.fields[name]!;
  const type = field.column!.type;
  return {
    sql: `${alias}.${quote(columnName(name, field))}`,
    type: type.replace(/\[\]$/, '').replace(/\(.*\)/, ''),
    array: type.endsWith('[]'),
    ...(field.choices ? { choices: field.choices } : {}),
  };
}

function search(
  model: Model,
  values: string[],
  sql: FilterSql,
  context: FilterContext,
  types: Set<string>,
): string | undefined {
  const { tables, binder } = context;
  const text = values.at(-1)!.trim();
  if (!text || !(model.search.length || model.searchBy)) return undefined;
  let pattern: string | undefined;
  const holds = (at: Model, field: string, alias: string, manner: SearchManner): string | undefined => {
    const operand = operandOf(at, field, alias);
    if (manner === 'whole') return wholeValue(operand, text, binder);
    return `${operand.sql}${/char|text/.test(operand.type) && !operand.array ? '' : '::text'} ilike ${(pattern ??= binder.bind(`%${likeText(text)}%`))}`;
  };
  const places = model.search.flatMap((name) => {
    const { path, field, manner } = searchPlace(name);
    if (!path.length) return toldOnly(model, field, holds(model, field, 't', manner), context) ?? [];
    const steps = tables.catalogue.steps(model, path),
      target = steps?.at(-1)?.to;
    const found =
      steps && target && tables.has(target) ? holds(tables.catalogue.get(target), field, 'x', manner) : undefined;
    if (!steps || !target || !found) return [];
    for (const step of steps) types.add(step.to);
    const seen =
      manner === 'whole' || isBriefed(tables.catalogue, model, path, field) ? undefined : seenOnly(context, types);
    return walk(
      tables,
      steps,
      't',
      { kind: 'select', sql: `select x.id from ${tables.nameOf(target)} x where ${found}${and(seen?.(target, 'x'))}` },
      seen,
    );
  });
  const more = model.searchBy?.(sql, text);
  if (more) places.push(more);
  return places.length ? `(${places.join(' or ')})` : 'false';
}

/** That a column has a value, or undefined for what cannot be one. */
function wholeValue({ sql, type }: Operand, text: string, { bind }: Binder): string | undefined {
  if (type === 'inet') {
    const address = networkOf(text);
    return (
      address && `${sortedBy({ order: 'host' }, sql)} = ${bind(addressText(address.family, address.address))}::inet`
    );
  }
  if (/int|numeric/.test(type)) return /^[-+]?\d{1,18}$/.test(text) ? `${sql} = ${bind(text)}::bigint` : undefined;
  return `${sql} = ${bind(text)}`;
}

function request(
  model: Model,
  actions: ('created' | 'updated')[],
  values: string[],
  comparing: Comparing,
): string | undefined {
  const id = values.at(-1)!;
  if (!/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(id)) return void comparing.fail('Enter a valid UUID.');
  const created = actions.length === 2 ? '' : ` and created is ${actions[0] === 'created'}`;
  return `t.id in (select id from modified where request_id = ${comparing.binder.bind(id)}::uuid and type = ${typeId(model.name)}${created})`;
}

async function tag(
  by: 'slug' | 'id',
  lookup: Lookup,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  types.add('extras.tag');
  const nulls = values.includes('null'),
    rest = values.filter((v) => v !== 'null');
  const ids = rest.length ? await idsOf({ type: 'extras.tag', by, values: rest, tree: false }, context, comparing) : [];
  if (!ids) return undefined;
  const tagged = ids.length ? tagsHold(lookup, `${context.binder.bind(ids)}::bigint[]`) : undefined;
  if (!nulls) return tagged;
  // All values must hold, or none of those that are excluded; only of `any` one is enough.
  const bare = lookup.negated ? 'cardinality(t.tags) > 0' : 'cardinality(t.tags) = 0';
  return tagged ? `(${bare} ${lookup.compare === 'contains' ? 'or' : 'and'} ${tagged})` : bare;
}

function tagsHold(lookup: Lookup, bound: string): string {
  return lookup.negated
    ? `not (t.tags && ${bound})`
    : lookup.compare === 'contains'
      ? `t.tags && ${bound}`
      : `t.tags @> ${bound}`;
}

function typeIds(
  model: Model,
  catalogue: Catalogue,
  field: string,
  lookup: Lookup,
  values: string[],
  comparing: Comparing,
): string | undefined {
  const operand = operandOf(model, field, 't');
  if (lookup.compare === 'empty')
    return compare(operand, operand.array ? 'objectTypes' : 'objectType', lookup, values, comparing);
  if (lookup.compare !== 'exact')
    return `${operand.sql} = any(${comparing.binder.bind(typesBeside(catalogue, lookup.compare, values))}::varchar[])`;
  const names: string[] = [];
  for (const value of values) {
    const type = /^\d{1,10}$/.test(value) ? catalogue.typeById(Number(value)) : undefined;
    if (type === undefined)
      return void comparing.fail(`Select a valid choice. ${value} is not one of the available choices.`);
    names.push(type);
  }
  return compare(operand, operand.array ? 'objectTypes' : 'objectType', lookup, names, comparing);
}

const BESIDE: Partial<Record<Lookup['compare'], (a: number, b: number) => boolean>> = {
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
};

/** The types whose number is beyond one of the values. */
function typesBeside(catalogue: Catalogue, comparison: Lookup['compare'], values: string[]): string[] {
  const holds = BESIDE[comparison];
  return [...catalogue.models.keys()].filter(
    (type) => holds && values.some((value) => holds(typeId(type), Number(value))),
  );
}

/** Ids of the objects that values name; undefined (after `fail`) when one names none. */
async function idsOf(
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

type Related = Extract<Filter, { kind: 'related' }>;

async function related(
  model: Model,
  filter: Related,
  lookup: Lookup,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  const steps = context.tables.catalogue.steps(model, filter.path);
  const target = steps?.at(-1)?.to;
  const nulls = values.includes('null'),
    rest = values.filter((v) => v !== 'null');
  if (!steps || !target || !context.tables.has(target)) {
    // Nothing of that kind exists (yet), so no value names one.
    if (rest.length)
      return void comparing.fail(`Select a valid choice. ${rest[0]} is not one of the available choices.`);
    return lookup.negated ? 'false' : 'true';
  }
  for (const step of steps) types.add(step.to);
  const ids = rest.length
    ? await idsOf({ type: target, by: filter.by ?? 'id', values: rest, tree: filter.tree ?? false }, context, comparing)
    : [];
  if (!ids) return undefined;
  const parts: string[] = [];
  if (ids.length)
    parts.push(walk(context.tables, steps, 't', { kind: 'ids', bound: `${context.binder.bind(ids)}::bigint[]` }));
  if (nulls) parts.push(`(${walk(context.tables, steps, 't', { kind: 'some' })}) is not true`);
  const positive = parts.length > 1 ? `(${parts.join(' or ')})` : parts[0]!;
  return lookup.negated ? `(${positive}) is not true` : positive;
}

async function through(
  model: Model,
  filter: Extract<Filter, { kind: 'through' }>,
  lookup: Lookup,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  const { tables } = context;
  const steps = tables.catalogue.steps(model, filter.path),
    target = steps?.at(-1)?.to;
  if (!steps || !target || !tables.has(target)) return lookup.negated ? undefined : 'false';
  for (const step of steps) types.add(step.to);
  const inner = compare(
    operandOf(tables.catalogue.get(target), filter.field, 'x'),
    filter.family,
    { ...lookup, negated: false },
    values,
    comparing,
  );
  if (!inner) return undefined;
  const seen =
    lookup.compare === 'exact' || isBriefed(tables.catalogue, model, filter.path, filter.field)
      ? undefined
      : seenOnly(context, types);
  const positive = walk(
    tables,
    steps,
    't',
    { kind: 'select', sql: `select x.id from ${tables.nameOf(target)} x where ${inner}${and(seen?.(target, 'x'))}` },
    seen,
  );
  return lookup.negated ? `(${positive}) is not true` : positive;
}

/**
 * What somebody may view of the objects that a condition leads over: SQL of a condition on a row of a type; undefined
 * for all.
 */
type Seen = (type: string, alias: string) => string | undefined;

const and = (condition: string | undefined): string => (condition === undefined ? '' : ` and ${condition}`);

const seenOnly =
  ({ tables, binder, who }: FilterContext, types: Set<string>): Seen =>
  (type, alias) => {
    const allowed = allowedSql(tables, tables.catalogue.get(type), 'view', who, binder, types, alias);
    return allowed === false ? 'false' : allowed;
  };

/**
 * Whether a column at the end of a path is shown with every object that the path starts at, as a reference is shown.
 */
function isBriefed(catalogue: Catalogue, { fields }: Model, path: Path, name: string): boolean {
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
 * A condition on a column of the model's own: on one that tells of what objects are about it holds only where the
 * requester may view that for certain.
 */
function toldOnly(
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

type End = { kind: 'ids'; bound: string } | { kind: 'some' } | { kind: 'select'; sql: string };

/**
 * The condition that a chain of relations from the aliased table reaches an object of the end, over objects that count
 * only as far as they are seen.
 */
export function walk(tables: Tables, steps: Step[], alias: string, end: End, seen?: Seen): string {
  const [step, ...rest] = steps as [Step, ...Step[]];
  const next = `${alias}${alias.length}`;
  const table = tables.nameOf(step.to);
  if (step.backwards) {
    const inner = rest.length
      ? walk(tables, rest, next, end, seen)
      : end.kind === 'ids'
        ? `${next}.id = any(${end.bound})`
        : end.kind === 'select'
          ? `${next}.id in (${end.sql})`
          : 'true';
    const column = `${next}.${quote(step.column)}`;
    const generic = step.generic ? ` and ${next}.${quote(step.generic.typeColumn)} = '${step.from}'` : '';
    return `exists (select 1 from ${table} ${next} where ${step.many ? `${column} @> array[${alias}.id]` : `${column} = ${alias}.id`}${generic} and ${inner}${and(rest.length ? seen?.(step.to, next) : undefined)})`;
  }
  const reached = forwardsTo(tables, step, rest, alias, next, end, seen);
  return step.generic ? `(${alias}.${quote(step.generic.typeColumn)} = '${step.to}' and ${reached})` : reached;
}

function forwardsTo(
  tables: Tables,
  step: Step,
  rest: Step[],
  alias: string,
  next: string,
  end: End,
  seen: Seen | undefined,
): string {
  const column = `${alias}.${quote(step.column)}`;
  if (!rest.length) {
    if (end.kind === 'some') return step.many ? `cardinality(${column}) > 0` : `${column} is not null`;
    if (end.kind === 'ids') return step.many ? `${column} && ${end.bound}` : `${column} = any(${end.bound})`;
    return step.many ? `${column} && array(${end.sql})` : `${column} in (${end.sql})`;
  }
  const inner = `select ${next}.id from ${tables.nameOf(step.to)} ${next} where ${walk(tables, rest, next, end, seen)}${and(seen?.(step.to, next))}`;
  return step.many ? `${column} && array(${inner})` : `${column} in (${inner})`;
}

function byMethod(
  filter: Extract<Filter, { kind: 'method' }>,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): string | undefined {
  const given = filter.many ? values : values.slice(-1),
    sql = sqlContext(context, types);
  if (filter.value === 'boolean') {
    const truth = given.map((v) => v.toLowerCase()).filter((v) => ['true', 'false', '1', '0'].includes(v));
    return truth.length
      ? filter.sql(
          sql,
          truth.map((v) => (v === '1' ? 'true' : v === '0' ? 'false' : v)),
        )
      : undefined;
  }
  if (filter.value === 'number' && given.some((v) => !/^\s*[-+]?\d{1,15}\s*$/.test(v)))
    return void comparing.fail(filter.many ? 'Enter a whole number.' : 'Enter a number.');
  if (filter.value === 'uuid' && given.some((v) => !/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(v)))
    return void comparing.fail('Enter a valid UUID.');
  return filter.sql(sql, given);
}

/** Objects that values name, for SQL by hand. */
async function byObjects(
  filter: Extract<Filter, { kind: 'objects' }>,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  const given = filter.many ? values : values.slice(-1),
    { tables, binder } = context;
  if (!tables.catalogue.has(filter.type) || !tables.has(filter.type))
    return void comparing.fail(`Select a valid choice. ${given[0]} is not one of the available choices.`);
  types.add(filter.type);
  const one = filter.many
    ? comparing
    : {
        ...comparing,
        fail: () => comparing.fail('Select a valid choice. That choice is not one of the available choices.'),
      };
  const ids = await idsOf(
    { type: filter.type, by: filter.by ?? 'id', values: given, tree: filter.tree ?? false },
    context,
    one,
  );
  return ids && filter.sql(sqlContext(context, types), `${binder.bind(ids)}::bigint[]`);
}
