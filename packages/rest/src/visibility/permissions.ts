import { type Catalogue, columnName, type Field, type Json, type Model, quote, tellsAbout } from '@cadastre/model';
import { type Action, allowed, type Constraint, type Requester } from '../core/requester.ts';
import { Binder } from '../db/sql.ts';
import { Tables } from '../db/tables.ts';
import { bindList, comparison, ConstraintError, OPERATORS } from './comparison.ts';
import { boundType } from './coerce.ts';
export { ConstraintError, UnfitValue } from './comparison.ts';

/**
 * SQL condition that a row (with the alias `t`, or the given one) meets one of the constraints; undefined for no
 * restriction. A constraint that cannot be evaluated matches nothing.
 * @param types gets the types of which the condition looks at other objects
 */
export function constraintSql(
  tables: Tables,
  model: Model,
  constraints: Constraint[] | null,
  userId: number | null,
  binder: Binder,
  types?: Set<string>,
  alias = 't',
): string | undefined {
  if (constraints === null) return undefined;
  const any = constraints.map((constraint) => {
    const whose = Object.entries(constraint).map(([lookup, value]): [string, Json] => [
      lookup,
      withUser(value, userId),
    ]);
    try {
      return attributesSql(tables, model, whose, binder, { alias, ...(types ? { types } : {}) });
    } catch (error) {
      if (error instanceof ConstraintError) return 'false';
      throw error;
    }
  });
  return any.length ? `(${any.join(' or ')})` : 'true';
}

/**
 * SQL condition that a row (as `t`, or as it is called) is one that the requester's permissions allow an action on:
 * undefined for every row, false for none.
 */
export function allowedSql(
  tables: Tables,
  model: Model,
  action: Action,
  who: Requester,
  binder: Binder,
  types?: Set<string>,
  alias = 't',
): string | undefined | false {
  const constraints = allowed(who.grants, action, model.name);
  if (constraints === false) return false;
  const all = [
    privateSql(model, who, binder, alias),
    constraintSql(tables, model, constraints, who.userId, binder, types, alias),
  ].filter((one) => one !== undefined);
  return all.length ? all.join(' and ') : undefined;
}

/** Private objects do not exist for others, whatever their permissions. */
function privateSql(model: Model, { grants, userId }: Requester, binder: Binder, alias: string): string | undefined {
  if (!model.private || grants.superuser) return undefined;
  const [user, unless] = [model.private.user, model.private.unless].map(
    (name) => `${alias}.${quote(columnName(name, model.fields[name]!))}`,
  );
  return userId === null ? unless : `(${unless} or ${user} = ${binder.bind(userId)}::bigint)`;
}

/** How a condition on attributes is written. */
export interface Asking {
  /** The alias of the row. */
  alias?: string;
  /** Gets the types of which the condition looks at other objects. */
  types?: Set<string>;
  /**
   * Set where a client gives the attributes: they may only use what the API shows, and related objects that this
   * requester may view.
   */
  client?: Requester;
}

/**
 * SQL condition that a row has all the attributes, named as constraints name them. @throws ConstraintError and leaves
 * the binder as it was
 */
export function attributesSql(
  tables: Tables,
  model: Model,
  attributes: [string, Json][],
  binder: Binder,
  asking: Asking = {},
): string {
  const bound = binder.values.length;
  try {
    const all = attributes.map(([lookup, value]) =>
      term(tables, model, lookup.split('__'), value, binder, asking.alias ?? 't', asking),
    );
    return all.length ? `(${all.join(' and ')})` : 'true';
  } catch (error) {
    binder.values.length = bound;
    throw error;
  }
}

/** `$user` stands for the requester. */
const withUser = (value: Json, userId: number | null): Json =>
  Array.isArray(value) ? value.map((one) => withUser(one, userId)) : value === '$user' ? userId : value;

/**
 * Checks a constraint by writing the SQL that the owner of the type would run. @throws ConstraintError that names what
 * is wrong
 */
export function checkConstraint(catalogue: Catalogue, model: Model, constraint: Constraint): void {
  attributesSql(
    new Tables(catalogue, catalogue.serviceOf(model.name)!),
    model,
    Object.entries(constraint).map(([lookup, value]) => [lookup, withUser(value, 0)]),
    new Binder(),
  );
}

function term(
  tables: Tables,
  model: Model,
  names: string[],
  value: Json,
  binder: Binder,
  alias: string,
  asking: Asking,
): string {
  const [name, ...rest] = names as [string, ...string[]];
  if (name === 'id' || name === 'pk') return comparison(`${alias}.id`, 'bigint', operatorOf(rest), value, binder);
  const byId = !Object.hasOwn(model.fields, name) && name.endsWith('_id');
  const fieldName = byId ? name.slice(0, -3) : name;
  const field = Object.hasOwn(model.fields, fieldName) ? model.fields[fieldName] : undefined;
  // A secret must not be guessed letter by letter; objects of another service do not have all their columns here.
  if (
    !field?.column ||
    field.secret ||
    !isFor(asking.client, model, fieldName, field) ||
    (byId && !field.relation) ||
    !tables.columnsOf(model).has(columnName(fieldName, field))
  )
    throw new ConstraintError(`Cannot resolve keyword '${name}' into field.`);
  const column = `${alias}.${quote(columnName(fieldName, field))}`;
  const isOperator = rest.length === 0 || (rest.length === 1 && OPERATORS.has(rest[0]!));
  if (field.relation && (byId || isOperator)) {
    if (!field.relation.many) return comparison(column, 'bigint', operatorOf(rest), value, binder);
    if (rest[0] === 'isnull') return `cardinality(${column}) ${value ? '=' : '>'} 0`;
    return `${column} && ${bindList('bigint', value, binder)}`;
  }
  if (field.relation) {
    if (!tables.catalogue.has(field.relation.to) || !tables.reaches(field.relation.to, model))
      throw new ConstraintError(`Unsupported lookup '${rest[0]}' for ${name}.`);
    const target = tables.catalogue.get(field.relation.to);
    const next = `${alias}${alias.length}`;
    asking.types?.add(target.name);
    const view = asking.client && allowedSql(tables, target, 'view', asking.client, binder, asking.types, next);
    const viewed = view === undefined ? '' : ` and ${view}`;
    const inner = `select ${next}.id from ${tables.nameOf(target.name)} ${next} where ${term(tables, target, rest, value, binder, next, asking)}${viewed}`;
    return field.relation.many ? `${column} && array(${inner})` : `${column} in (${inner})`;
  }
  const { type } = field.column;
  if (type === 'jsonb') {
    const keys = rest.length && OPERATORS.has(rest.at(-1)!) ? rest.slice(0, -1) : rest;
    return comparison(
      `(${column} #>> ${bindList('text', keys, binder)})`,
      'text',
      keys.length < rest.length ? rest.at(-1)! : 'exact',
      value,
      binder,
    );
  }
  if (type.endsWith('[]')) {
    if (rest.length > 1 || (rest[0] !== undefined && rest[0] !== 'contains' && rest[0] !== 'overlap'))
      throw new ConstraintError(`Unsupported lookup '${rest[0]}' for ${name}.`);
    const item = type.slice(0, -2);
    return `${column}::${arrayCast(item)}[] ${rest[0] === 'overlap' ? '&&' : '@>'} ${bindList(item, value, binder)}`;
  }
  return comparison(column, type, operatorOf(rest, name), value, binder);
}

/** Whether a client may ask for objects by a field: the API must show it for every object that the client may view. */
const isFor = (client: Requester | undefined, model: Model, name: string, { hidden, writeOnly }: Field): boolean =>
  !client || !(hidden || writeOnly || (tellsAbout(model, name) && !client.grants.superuser));

/** Arrays are comparable with arrays of their own type only. */
const arrayCast = (item: string): string => boundType(item.replace(/\(.*\)/, ''));

/** The lookup at the end of a path. @throws ConstraintError when the rest of the path is not a lookup */
function operatorOf(rest: string[], name = 'id'): string {
  if (rest.length > 1 || (rest[0] !== undefined && !OPERATORS.has(rest[0])))
    throw new ConstraintError(`Unsupported lookup '${rest[0]}' for ${name}.`);
  return rest[0] ?? 'exact';
}
