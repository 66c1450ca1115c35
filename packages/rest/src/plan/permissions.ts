import { type Catalogue, columnName, type Json, type Model, quote } from '@cadastre/model';
import { type Binder, likeText } from '../query/sql.ts';
import type { Tables } from '../query/tables.ts';

export type Action = 'view' | 'add' | 'change' | 'delete' | (string & {});

/** One condition set of an object permission: all members must hold. */
export type Constraint = { [lookup: string]: Json };

/** What a user may do: for each action and type either everything, or objects that meet one of the constraints. */
export interface Grants {
  superuser: boolean;
  userId: number | null;
  /** By `<action> <type>`: null for no restriction. */
  byAction: Map<string, Constraint[] | null>;
}

/** Who asks. */
export interface Requester { userId: number | null; username: string; grants: Grants }

/** `false`: nothing may be touched; `null`: everything; else the constraints of which one must hold. */
export function allowed(grants: Grants, action: Action, type: string): false | null | Constraint[] {
  if (grants.superuser) return null;
  const found = grants.byAction.get(`${action} ${type}`);
  return found === undefined ? false : found;
}

/** A constraint names something that does not exist, or compares it with something it cannot be compared with. */
export class ConstraintError extends Error {}

const OPERATORS = new Set(['exact', 'iexact', 'contains', 'icontains', 'startswith', 'istartswith', 'endswith', 'iendswith', 'in', 'gt', 'gte', 'lt', 'lte', 'isnull', 'regex', 'iregex', 'range']);

/** SQL condition that a row of the aliased table meets one of the constraints; undefined for no restriction. */
export function constraintSql(tables: Tables, model: Model, constraints: Constraint[] | null, userId: number | null, binder: Binder, alias = 't'): string | undefined {
  if (constraints === null) return undefined;
  const any = constraints.map((constraint) => {
    const all = Object.entries(constraint).map(([lookup, value]) => term(tables, model, lookup.split('__'), value === '$user' ? userId : value, binder, alias));
    return all.length ? `(${all.join(' and ')})` : 'true';
  });
  return any.length ? `(${any.join(' or ')})` : 'true';
}

/** Checks constraints without running them. @throws ConstraintError that names what is wrong */
export function checkConstraint(catalogue: Catalogue, model: Model, constraint: Constraint): void {
  for (const lookup of Object.keys(constraint)) {
    let at = model;
    const names = lookup.split('__');
    for (const [i, name] of names.entries()) {
      if (i === names.length - 1 && i > 0 && OPERATORS.has(name)) break;
      const field = at.fields[name === 'pk' ? 'id' : name.replace(/_id$/, '') in at.fields && !(name in at.fields) ? name.replace(/_id$/, '') : name];
      if (name === 'id' || name === 'pk') continue;
      if (!field?.column) throw new ConstraintError(`Cannot resolve keyword '${name}' into field.`);
      if (field.relation && catalogue.has(field.relation.to)) at = catalogue.get(field.relation.to);
      else if (i < names.length - 1 && !OPERATORS.has(names[i + 1]!) && field.column.type !== 'jsonb') throw new ConstraintError(`Unsupported lookup '${names[i + 1]}' for ${name}.`);
    }
  }
}

function term(tables: Tables, model: Model, names: string[], value: Json, binder: Binder, alias: string): string {
  const [name, ...rest] = names as [string, ...string[]];
  if (name === 'id' || name === 'pk') return comparison(`${alias}.id`, 'bigint', rest[0] ?? 'exact', value, binder);
  const byId = !(name in model.fields) && name.endsWith('_id');
  const field = model.fields[byId ? name.slice(0, -3) : name];
  if (!field?.column) throw new ConstraintError(`${model.name}: cannot resolve keyword '${name}' into field.`);
  const column = `${alias}.${quote(columnName(byId ? name.slice(0, -3) : name, field))}`;
  const isOperator = rest.length === 0 || (rest.length === 1 && OPERATORS.has(rest[0]!));
  if (field.relation && (byId || isOperator)) {
    if (!field.relation.many) return comparison(column, 'bigint', rest[0] ?? 'exact', value, binder);
    if (rest[0] === 'isnull') return `cardinality(${column}) ${value ? '=' : '>'} 0`;
    return `${column} && ${binder.bind(Array.isArray(value) ? value : [value])}::bigint[]`;
  }
  if (field.relation) {
    const target = tables.catalogue.get(field.relation.to), next = `${alias}${alias.length}`;
    const inner = `select ${next}.id from ${tables.nameOf(target.name)} ${next} where ${term(tables, target, rest, value, binder, next)}`;
    return field.relation.many ? `${column} && array(${inner})` : `${column} in (${inner})`;
  }
  if (field.column.type === 'jsonb') {
    const keys = rest.length && OPERATORS.has(rest.at(-1)!) ? rest.slice(0, -1) : rest;
    return comparison(`(${column} #>> ${binder.bind(keys)}::text[])`, 'text', keys.length < rest.length ? rest.at(-1)! : 'exact', value === null || typeof value === 'object' ? value : String(value), binder);
  }
  if (field.column.type.endsWith('[]')) return `${column} ${rest[0] === 'overlap' ? '&&' : '@>'} ${binder.bind(Array.isArray(value) ? value : [value])}::${field.column.type.replace(/\(.*?\)/, '')}`;
  return comparison(column, field.column.type.replace(/\(.*\)/, ''), rest[0] ?? 'exact', value, binder);
}

function comparison(sql: string, type: string, operator: string, value: Json, binder: Binder): string {
  const bound = (v: unknown) => `${binder.bind(v)}::${type.startsWith('varchar') ? 'text' : type}`;
  const text = (v: unknown) => binder.bind(v);
  const like = (pattern: string, insensitive: boolean) => `${sql}::text ${insensitive ? 'ilike' : 'like'} ${text(pattern)}`;
  const escaped = likeText(String(value));
  switch (operator) {
    case 'exact': return value === null ? `${sql} is null` : `${sql} = ${bound(value)}`;
    case 'in': return `${sql} = any(${binder.bind(Array.isArray(value) ? value : [value])}::${type.startsWith('varchar') ? 'text' : type}[])`;
    case 'isnull': return `${sql} is ${value ? '' : 'not '}null`;
    case 'gt': return `${sql} > ${bound(value)}`;
    case 'gte': return `${sql} >= ${bound(value)}`;
    case 'lt': return `${sql} < ${bound(value)}`;
    case 'lte': return `${sql} <= ${bound(value)}`;
    case 'range': return Array.isArray(value) ? `${sql} between ${bound(value[0])} and ${bound(value[1])}` : 'false';
    case 'iexact': return like(escaped, true);
    case 'contains': return like(`%${escaped}%`, false);
    case 'icontains': return like(`%${escaped}%`, true);
    case 'startswith': return like(`${escaped}%`, false);
    case 'istartswith': return like(`${escaped}%`, true);
    case 'endswith': return like(`%${escaped}`, false);
    case 'iendswith': return like(`%${escaped}`, true);
    case 'regex': return `${sql}::text ~ ${text(value)}`;
    case 'iregex': return `${sql}::text ~* ${text(value)}`;
    default: throw new ConstraintError(`Unsupported lookup '${operator}'.`);
  }
}
