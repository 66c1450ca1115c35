import { isDeepStrictEqual } from 'node:util';
import type { ChangeEvent } from '@cadastre/events';
import { matters, members } from '@cadastre/model';
import { customFieldsOf, customPointings, pointingsOf } from './references.ts';
import { type Complaint, eventsByObject, type Kept, type Row, rowsOf, type World } from './world.ts';

/** Every copy of an object has the values of the original; all objects have copies, and there are no others. */
export function checkReplicas(world: World): Complaint[] {
  const complaints: Complaint[] = [];
  for (const [service, types] of world.replicas) {
    for (const [type, copies] of types) {
      const owners = rowsOf(world, type);
      const told = toldIds(world, type);
      for (const [id, copy] of copies) {
        const original = owners.get(id);
        if (!original) {
          complaints.push(`${service} keeps ${type} ${id}, which is not there any more`);
          continue;
        }
        const differing = Object.keys(copy).filter((column) => !isDeepStrictEqual(copy[column], original[column]));
        if (differing.length)
          complaints.push(
            `${service} keeps ${type} ${id} with ${differing.map((c) => `${c} ${JSON.stringify(copy[c])} instead of ${JSON.stringify(original[c])}`).join(', ')}`,
          );
      }
      const needed = neededBy(world, service, type, copies);
      for (const [id, original] of owners)
        if (!copies.has(id) && told.has(id) && needed(original)) complaints.push(`${service} lacks ${type} ${id}`);
    }
  }
  return complaints;
}

/**
 * Which objects of a type a service must have: all, or of a type that it keeps in part, those that matter to it and
 * those that its own objects and the kept ones refer to.
 */
function neededBy(
  world: World,
  service: string,
  type: string,
  copies: ReadonlyMap<number, Row>,
): (original: Row) => boolean {
  const part = world.catalogue.parts(service).get(type);
  if (!part) return () => true;
  const pointed = new Set([...copies.values()].flatMap((copy) => part.mutual.map((column) => Number(copy[column]))));
  for (const model of world.catalogue.ownedBy(service)) {
    const custom = customFieldsOf(world, model);
    for (const row of rowsOf(world, model.name).values())
      for (const at of [...pointingsOf(world, model, row), ...customPointings(custom, row)])
        if (at.type === type) for (const id of at.ids) pointed.add(id);
  }
  return (original) => matters(part, (column) => original[column]) || pointed.has(original.id);
}

/**
 * Brief forms of objects of any type are kept for all objects, and their own fields are as in the last event of each
 * object.
 */
export function checkKept(world: World): Complaint[] {
  const complaints: Complaint[] = [];
  const byObject = eventsByObject(world);
  for (const [service, list] of world.kept) {
    const known = new Map(list.map((kept) => [`${kept.type}:${kept.id}`, kept]));
    for (const [key, kept] of known)
      if (!rowsOf(world, kept.type).has(kept.id))
        complaints.push(`${service} keeps the brief form of ${key}, which is not there any more`);
    for (const [key, events] of byObject) {
      const last = events.findLast((event) => event.action === 'deleted' || event.data !== null);
      if (!last || last.action === 'deleted' || !rowsOf(world, last.objectType).has(last.objectId)) continue;
      const kept = known.get(key);
      if (!kept) complaints.push(`${service} lacks the brief form of ${key}`);
      else
        complaints.push(
          ...differences(world, service, key, kept, last, rowsOf(world, last.objectType).get(last.objectId)!),
        );
    }
  }
  return complaints;
}

function differences(
  world: World,
  service: string,
  key: string,
  kept: Kept,
  last: ChangeEvent,
  original: Row,
): Complaint[] {
  const wrong: Complaint[] = [];
  const data = last.data!;
  const row = last.row as { tags?: number[] } | null;
  // The owner may have been asked when only derived columns had changed since.
  if (kept.version < last.version || kept.version > original._version)
    wrong.push(`version ${kept.version} instead of ${last.version}`);
  const model = world.catalogue.get(last.objectType);
  if (kept.display !== last.display && !model.display.related?.length)
    wrong.push(`display "${kept.display}" instead of "${last.display}"`);
  if (!isDeepStrictEqual(kept.tags, row?.tags ?? []))
    wrong.push(`tags ${JSON.stringify(kept.tags)} instead of ${JSON.stringify(row?.tags ?? [])}`);
  // Fields about other objects (their brief forms, counts of them) are as old as the event, or as the owner's
  // answer.
  for (const name of members(model, 'brief').filter(
    (one) => model.fields[one]?.column && !model.fields[one].relation,
  )) {
    if (name in data && !isDeepStrictEqual(kept.brief[name], data[name]))
      wrong.push(`${name} ${JSON.stringify(kept.brief[name])} instead of ${JSON.stringify(data[name])}`);
  }
  return wrong.length ? [`${service} keeps the brief form of ${key} with ${wrong.join(', ')}`] : [];
}

/** Objects that have had an event: what a migration inserted is known to its own service only. */
function toldIds(world: World, type: string): Set<number> {
  const events = world.events.get(world.catalogue.serviceOf(type)!) ?? [];
  return new Set(events.filter((event) => event.objectType === type).map((event) => event.objectId));
}
