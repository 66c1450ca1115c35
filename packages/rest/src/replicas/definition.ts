import { columnsOf, type Model } from '@cadastre/model';
import type { Tables } from '../db/tables.ts';
import { BRIEF } from '../peers/peers.ts';

/**
 * Objects of one type that a service keeps: columns of them in a table, the brief form among those of any type, or
 * both.
 */
export interface ReplicaDefinition {
  type: string;
  /** The service that owns the objects. It may be this one: their brief form is kept like that of all others. */
  owner: string;
  table: boolean;
  any: boolean;
  /** What the owner is asked for. */
  columns: readonly string[];
}

/** All that a service keeps of objects that change elsewhere, as its declarations ask for it. */
export const replicaDefinitions = (tables: Tables): ReplicaDefinition[] =>
  [...tables.catalogue.models.keys()].flatMap((type) => replicaDefinition(tables, type) ?? []);

/** The same of one type; undefined where nothing of it is kept. */
export function replicaDefinition(tables: Tables, type: string): ReplicaDefinition | undefined {
  const { catalogue, replicas } = tables;
  const model = catalogue.models.get(type);
  const columns = replicas.get(type);
  const any = model !== undefined && tables.keepsAnyObject && pointable(model);
  if (!model || (!columns && !any)) return undefined;
  const asked = [
    ...new Set([
      'id',
      '_version',
      ...(columns ?? []),
      ...(any ? [...(model.features.has('tags') ? ['tags'] : []), BRIEF] : []),
    ]),
  ];
  return { type, owner: catalogue.serviceOf(type)!, table: columns !== undefined, any, columns: asked };
}

/**
 * Whether others may point at objects of a model: not at records of what happened, which are announced in no event,
 * nor at objects without an address.
 */
export const pointable = (model: Model): boolean => !model.readOnly || model.part === 'listed';

/** What a replica is filled with, as it is noted beside it: when this changes, the replica has to be filled again. */
export function contentsOf(tables: Tables, { type, columns }: ReplicaDefinition): string {
  const types = new Map(columnsOf(tables.catalogue.get(type)).map((c) => [c.name, c.type]));
  const part = tables.partOf(type);
  const list = [...columns]
    .sort()
    .map((name) => (types.has(name) ? `${name} ${types.get(name)}` : name))
    .join(', ');
  return part ? `${list}; in part: ${JSON.stringify(part)}` : list;
}
