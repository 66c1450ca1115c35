import { quote, type Step } from '@cadastre/model';
import type { Tables } from '../../db/tables.ts';
import { type VisibleSql, and } from './visibleOnly.ts';

type End = { kind: 'ids'; bound: string } | { kind: 'some' } | { kind: 'select'; sql: string };

/**
 * The condition that a chain of relations from the aliased table reaches an object of the end, over only those objects
 * that `seen` lets the requester view.
 */
export function walk(tables: Tables, steps: Step[], alias: string, end: End, seen?: VisibleSql): string {
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
  seen: VisibleSql | undefined,
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
