import { isDeepStrictEqual } from 'node:util';
import type { ChangeEvent } from '@cadastre/events';
import { columnName, type Model } from '@cadastre/model';
import type { Body, Write } from '../load/history.ts';
import { pointingsOf } from './references.ts';
import { type Complaint, eventsByObject, type Row, rowsOf, type World } from './world.ts';

const keyOf = (type: string, id: number): string => `${type}:${id}`;

/**
 * What was answered with 2xx has happened, what was refused has not, and what was not answered has happened completely
 * or not at all.
 */
export function checkOutcomes(world: World, writes: readonly Write[]): Complaint[] {
  const byToken = Map.groupBy(
    [...world.events.values()].flat().filter((event) => event.message !== ''),
    (event) => event.message,
  );
  return writes.flatMap((write) => {
    const events = byToken.get(write.token) ?? [];
    const what = `${write.token} (${write.action} ${write.bodies.length} ${write.type}, ${write.said})`;
    if (events.length === 0) return write.outcome === 'done' ? [`${what} was answered, and has not happened`] : [];
    if (write.outcome === 'refused') return [`${what} was refused, and has happened to ${events.length} objects`];
    if (events.length !== write.bodies.length) return [`${what} has happened to ${events.length} objects`];
    const ids = new Set(events.map((event) => event.objectId));
    if (
      events.some((event) => event.action !== write.action || event.objectType !== write.type) ||
      ids.size !== events.length ||
      write.ids.some((id) => !ids.has(id))
    )
      return [
        `${what} has happened to other objects: ${events.map((e) => `${e.action} ${e.objectType} ${e.objectId}`).join(', ')}`,
      ];
    return [];
  });
}

/**
 * Every object is as it was last written, minus what the deletion of others has cleared in it; objects that were
 * deleted with another are gone.
 */
export function checkState(world: World, writes: readonly Write[]): Complaint[] {
  const byToken = new Map(writes.map((write) => [write.token, write]));
  return [...eventsByObject(world).values()].flatMap((events) => stateOf(world, events, byToken));
}

function stateOf(world: World, events: readonly ChangeEvent[], byToken: ReadonlyMap<string, Write>): Complaint[] {
  const { objectType: type, objectId: id } = events[0]!;
  const key = keyOf(type, id);
  const complaints: Complaint[] = [];
  const steps = events.flatMap((event) => {
    const write = byToken.get(event.message);
    return write ? [{ write, event }] : [];
  });
  if (steps[0]?.write.action !== 'created') return [];
  const answered = steps.filter(({ write }) => write.outcome === 'done').map(({ write }) => write.n);
  if (answered.some((n, i) => n < (answered[i - 1] ?? 0)))
    complaints.push(`${key} was changed in another order than was answered: writes ${answered.join(', ')}`);
  const model = world.catalogue.get(type);
  const row = rowsOf(world, type).get(id);
  const wanted: Body = {};
  for (const { write, event } of steps) Object.assign(wanted, bodyOf(model, write, event));
  const asRow = columnsOfBody(model, wanted);
  const deleted = steps.some(({ write }) => write.action === 'deleted');
  if (row && deleted) complaints.push(`${key} is there although it was deleted`);
  if (!row && !deleted && !wentAlong(world, model, asRow)) complaints.push(`${key} is gone, and nothing took it along`);
  if (row && !deleted)
    complaints.push(...differences(world, model, row, wanted, asRow).map((what) => `${key} has ${what}`));
  return complaints;
}

/**
 * The body that a write sent for one object. For a bulk create without an answer it is the body that matches the
 * object as created.
 */
function bodyOf(model: Model, write: Write, event: ChangeEvent): Body {
  const at = write.ids.indexOf(event.objectId);
  if (at >= 0) return write.bodies[at]!;
  return (
    write.bodies.find((body) =>
      Object.entries(columnsOfBody(model, body)).every(([name, value]) => same(event.row?.[name], value)),
    ) ?? {}
  );
}

function columnsOfBody(model: Model, body: Body): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const field = model.fields[name];
      return field?.column && field.special !== 'customFields' ? [[columnName(name, field), value]] : [];
    }),
  );
}

/** Whether an object refers, with cascading deletion, to something that does not exist any more. */
const wentAlong = (world: World, model: Model, row: Record<string, unknown>): boolean =>
  pointingsOf(world, model, row).some(
    ({ type, ids, onDelete }) => onDelete === 'cascade' && ids.some((id) => !rowsOf(world, type).has(id)),
  );

function differences(world: World, model: Model, row: Row, wanted: Body, asRow: Record<string, unknown>): Complaint[] {
  const lost = new Map(
    pointingsOf(world, model, asRow).map(({ field, type, ids }) => [
      field,
      new Set(ids.filter((id) => !rowsOf(world, type).has(id))),
    ]),
  );
  const pairs = Object.entries(model.fields).flatMap(([name, { generic }]) =>
    generic && lost.get(name)?.size ? [generic.typeField, generic.idField] : [],
  );
  return Object.entries(wanted).flatMap(([name, value]) => {
    const field = model.fields[name];
    if (!field?.column || field.special === 'customFields' || pairs.includes(name)) return [];
    const now = row[columnName(name, field)];
    const gone = lost.get(name);
    const left = gone?.size ? (Array.isArray(value) ? value.filter((id) => !gone.has(Number(id))) : null) : value;
    return same(now, left) ? [] : [`${name} ${JSON.stringify(now)} instead of ${JSON.stringify(left)}`];
  });
}

/** PostgreSQL writes addresses of single hosts without a mask; the order of a set does not matter. */
function same(now: unknown, left: unknown): boolean {
  if (Array.isArray(now) && Array.isArray(left)) return isDeepStrictEqual([...now].sort(), [...left].sort());
  return isDeepStrictEqual(now, typeof left === 'string' ? left.replace(/\/32$/, '') : left);
}
