import { columnName } from '../sql/columns.ts';
import type { Path } from '../types/filter.ts';
import type { Field, Model } from '../types/model.ts';
import type { Reached } from '../types/relation.ts';

/**
 * One step of a path, resolved. A generic one applies where the type column names `to` (`from` when it goes backwards).
 */
export interface Step {
  from: string;
  to: string;
  column: string;
  many: boolean;
  backwards: boolean;
  generic?: { typeColumn: string };
}

/** The steps of a path that starts at a model, or undefined when it leads over a model that does not exist (yet). */
export function stepsOf(models: ReadonlyMap<string, Model>, model: Model, path: Path): Step[] | undefined {
  const steps: Step[] = [];
  let at: Model = model;
  for (const name of path) {
    const step = name.startsWith('<') ? backwards(models, at, name.slice(1)) : forwards(at, name);
    if (!step) return undefined;
    steps.push(step);
    const next = models.get(step.to);
    if (!next) return steps.length === path.length ? steps : undefined;
    at = next;
  }
  return steps;
}

function backwards(models: ReadonlyMap<string, Model>, at: Model, name: string): Step | undefined {
  const dot = name.lastIndexOf('.');
  const from = models.get(name.slice(0, dot));
  const fieldName = name.slice(dot + 1);
  if (!from) return undefined;
  const field = from.fields[fieldName];
  if (field?.relation)
    return {
      from: at.name,
      to: from.name,
      column: columnName(fieldName, field),
      many: field.relation.many,
      backwards: true,
    };
  if (field?.generic) {
    const { typeField, idField } = field.generic;
    return {
      from: at.name,
      to: from.name,
      column: columnName(idField, from.fields[idField]!),
      many: false,
      backwards: true,
      generic: { typeColumn: columnName(typeField, from.fields[typeField]!) },
    };
  }
  throw new Error(`${at.name}: <${name} is no relation`);
}

function forwards(at: Model, named: string): Step | undefined {
  const [name, type] = named.split(':') as [string, string?];
  const field = at.fields[name];
  if (type !== undefined) {
    if (!field?.generic || (field.generic.to && !field.generic.to.includes(type)))
      throw new Error(`${at.name}: ${name} does not point at objects of ${type}`);
    const { typeField, idField } = field.generic;
    return {
      from: at.name,
      to: type,
      column: columnName(idField, at.fields[idField]!),
      many: false,
      backwards: false,
      generic: { typeColumn: columnName(typeField, at.fields[typeField]!) },
    };
  }
  if (!field?.relation) throw new Error(`${at.name}: ${name} is no relation`);
  return {
    from: at.name,
    to: field.relation.to,
    column: columnName(name, field),
    many: field.relation.many,
    backwards: false,
  };
}

/** How objects of a model are reached from those that point at them by a field which is no plain reference. */
export function reachedBy(field: Field, name: string, model: Model): Reached | undefined {
  return field.generic ? { to: model.name, paths: [[`${name}:${model.name}`]] } : field.reached;
}
