import {
  aboutColumns,
  columnName,
  DEEPEST,
  directionOf,
  type Field,
  members,
  type Model,
  orderingOf,
  orderTerm,
  quote,
  sortedBy,
  tellsAbout,
} from '@cadastre/model';
import { typesViewed, viewsAll } from '../visibility/visibility.ts';
import type { Tables } from '../db/tables.ts';
import { ANYBODY, type Requester } from '../core/requester.ts';
import { reverseOrder } from './reverseOrder.ts';

/** What a list is sorted by: the terms of ORDER BY, and the joins that they need after the list's own table. */
export interface Order {
  by: string;
  joins: string;
  /** The terms the other way round. */
  reversed: string;
  /** The terms one by one: what each is, and the direction behind it. */
  terms: readonly { sql: string; direction: string }[];
  /** The types of other objects by which these are sorted. */
  types: readonly string[];
}

/** A term with its direction. */
interface Directed {
  sql: string;
  descending: boolean;
  nullsFirst: boolean;
}

interface Term {
  sql: string;
  by: Parameters<typeof sortedBy>[0];
  descending?: boolean;
}

const declared = new WeakMap<Tables, Map<Model, Order>>();

/**
 * The order for the names that a request gives, or the model's own; always total, by the id. What the requester may not
 * view of related objects does not affect the order of a request, except for what the listed objects show of them.
 */
export function orderSql(
  tables: Tables,
  model: Model,
  names: string[] | null,
  who: Requester = ANYBODY,
  unknown?: (name: string) => void,
): Order {
  if (names?.length) return orderBy(tables, model, names, who, unknown);
  let known = declared.get(tables);
  if (!known) declared.set(tables, (known = new Map()));
  let order = known.get(model);
  if (!order) known.set(model, (order = orderBy(tables, model, [], ANYBODY)));
  return order;
}

function orderBy(
  tables: Tables,
  model: Model,
  names: string[],
  who: Requester,
  unknown?: (name: string) => void,
): Order {
  const known = names.filter((name) => {
    const field = name.replace(/^-/, '');
    const exists = field === 'id' || new Terms(tables, who).of(model, field) !== undefined;
    if (!exists) unknown?.(name);
    return exists;
  });
  const chosen = known.length ? known : orderingOf(model);
  const terms = new Terms(tables, known.length ? who : ANYBODY);
  const by = chosen.flatMap((name) => (known.length ? terms.directed(model, name) : terms.declared(model, name)));
  if (!chosen.some((name) => name.replace(/^-/, '') === 'id'))
    by.push({ sql: 't.id', descending: false, nullsFirst: false });
  return {
    by: by.map((term) => term.sql + directionOf(term)).join(', '),
    joins: terms.joins.join(''),
    reversed: by.map(turned).join(', '),
    terms: by.map((term) => ({ sql: term.sql, direction: directionOf(term) })),
    types: [...terms.types],
  };
}

/** A term in reverse. By default, PostgreSQL puts missing values last in ascending and first in descending order. */
const turned = ({ sql, descending, nullsFirst }: Directed): string =>
  `${sql}${descending ? '' : ' desc'}${nullsFirst ? ' nulls last' : ''}`;

/** Turns names into terms, and collects the joins for them, and whose objects they look at. */
class Terms {
  readonly joins: string[] = [];
  readonly types = new Set<string>();
  readonly #tables: Tables;
  readonly #who: Requester;

  constructor(tables: Tables, who: Requester) {
    this.#tables = tables;
    this.#who = who;
  }

  /** The terms of a name that a client asked for. */
  directed(model: Model, name: string): Directed[] {
    const turned = name.startsWith('-');
    return this.#spelled(this.of(model, turned ? name.slice(1) : name) ?? [], {
      descending: turned,
      nullsFirst: false,
    });
  }

  /** A term of the model's own order. */
  declared(model: Model, term: string): Directed[] {
    const { field, byId, ...direction } = orderTerm(model, term);
    return this.#spelled(
      byId
        ? [{ sql: `t.${quote(columnName(field, model.fields[field]!))}`, by: {} }]
        : (this.of(model, field, true) ?? []),
      direction,
    );
  }

  #spelled(terms: Term[], { descending, nullsFirst }: { descending: boolean; nullsFirst: boolean }): Directed[] {
    return terms.map((term) => ({
      sql: sortedBy(term.by, term.sql),
      descending: descending !== (term.descending ?? false),
      nullsFirst,
    }));
  }

  /**
   * Terms of a field of the listed model; undefined for what cannot be sorted by. Hidden fields are for the model's own
   * order only.
   */
  of(model: Model, name: string, own = false): Term[] | undefined {
    if (name === 'id') return [{ sql: 't.id', by: {} }];
    if (name === '_sort' && model.tree) return [{ sql: 't."_sort"', by: { natural: true } }];
    if (name === '_path' && model.tree) return [{ sql: 't."_path"', by: {} }];
    if (name === '_depth' && model.tree) return [{ sql: 'cardinality(t."_path")', by: {} }];
    const field = model.fields[name];
    if (!field || field.secret || (field.hidden && !own)) return undefined;
    if (field.reverse) {
      if (field.reverse.as !== 'count') return undefined;
      for (const type of this.#tables.catalogue.countedOver(field)) this.types.add(type);
      return reverseOrder(this.#tables, model, field).map((sql) => ({ sql, by: {} }));
    }
    if (!field.column) return undefined;
    const column = this.#told(model, name, `t.${quote(columnName(name, field))}`);
    if (!field.relation) return [{ sql: column, by: field.column }];
    return field.relation.many ? undefined : this.#related(field, column, 1, true);
  }

  /**
   * A column that reveals something of what an object is about is null in the order, unless the requester may view all
   * objects of the type that it is about.
   */
  #told(model: Model, name: string, column: string): string {
    const open = tellsAbout(model, name) ? typesViewed(this.#tables, this.#who) : undefined;
    return open
      ? `case when t.${quote(aboutColumns(model, model.about!).type)} = any(array[${open.map((type) => `'${type}'`).join(', ')}]::text[]) then ${column} end`
      : column;
  }

  /**
   * A reference sorts by the order of the objects that it points at, which may in turn be the order of what those point
   * at. Where every row has the reference and its target is sure to be in this database, the target is joined:
   * PostgreSQL can then go through the other table in its order and stop when the page is full, where a subselect would
   * be evaluated for every row.
   */
  #related(field: Field, column: string, depth: number, joinable: boolean): Term[] {
    const tables = this.#tables;
    const { to: type } = field.relation!;
    if (depth > DEEPEST || !tables.catalogue.has(type) || !tables.has(type)) return [{ sql: column, by: {} }];
    const joined = joinable && !field.column!.nullable && tables.owns(type);
    const alias = joined ? `o${this.joins.length + 1}` : 'r'.repeat(depth);
    const before = this.joins.length;
    if (joined) this.joins.push(` join ${tables.nameOf(type)} ${alias} on ${alias}.id = ${column}`);
    const target = tables.catalogue.get(type);
    const shown = viewsAll(tables, this.#who, type)
      ? undefined
      : depth === 1
        ? members(target, field.relation!.form)
        : [];
    const terms = shown ? this.#briefOrderOf(target, alias, shown) : this.#orderOf(target, alias, depth, joined);
    if (!terms.length) {
      this.joins.length = before;
      return [{ sql: column, by: {} }];
    }
    this.types.add(type);
    if (joined) return terms;
    return terms.map(({ sql, ...term }) => ({
      ...term,
      sql: `(select ${sql} from ${tables.nameOf(type)} ${alias} where ${alias}.id = ${column})`,
    }));
  }

  /** The order of objects, as far as it consists of fields that references to them show. */
  #briefOrderOf(target: Model, alias: string, shown: readonly string[]): Term[] {
    const kept = this.#tables.columnsOf(target);
    const names = target.tree && !target.ordering.length ? ['name'] : target.ordering;
    return names.flatMap((named): Term[] => {
      const { field: name, descending } = orderTerm(target, named);
      const field = target.fields[name];
      const own = field ? columnName(name, field) : name;
      const by = kept.get(own);
      // `_name` is another form of the name.
      const isShown = shown.includes(name) || (field?.hidden && name.startsWith('_') && shown.includes(name.slice(1)));
      return by && isShown && !field?.relation ? [{ sql: `${alias}.${quote(own)}`, by, descending }] : [];
    });
  }

  #orderOf(target: Model, alias: string, depth: number, joinable: boolean): Term[] {
    const kept = this.#tables.columnsOf(target);
    return orderingOf(target).flatMap((named): Term[] => {
      const { field: name, byId, descending } = orderTerm(target, named);
      const field = target.fields[name];
      const own = field ? columnName(name, field) : name;
      const by = kept.get(own);
      if (!by) return [];
      const sql = `${alias}.${quote(own)}`;
      const terms =
        field?.relation && !field.relation.many && !byId
          ? this.#related(field, sql, depth + 1, joinable)
          : [{ sql, by }];
      return descending ? terms.map((t) => ({ ...t, descending: !(t.descending ?? false) })) : terms;
    });
  }
}
