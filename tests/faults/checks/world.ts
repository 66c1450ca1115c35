import type { ChangeEvent } from '@cadastre/events';
import type { Catalogue } from '@cadastre/model';

/** A row as JSON by column name. */
export type Row = { id: number; _version: number } & Record<string, unknown>;
export type Rows = Map<number, Row>;

/** The brief form that a service keeps of an object of any type. */
export interface Kept {
  type: string;
  id: number;
  version: number;
  display: string;
  brief: Record<string, unknown>;
  tags: number[];
}

/** A message that the receiver got. */
export interface Message {
  event: string;
  object_type: string;
  request: { id: string } | null;
  data: { id: number } | null;
}

/** An event rule: the types of objects and kinds of changes that it is about. */
export interface RuleOf {
  id: number;
  types: readonly string[];
}

/**
 * The contents of all databases, read once the system is idle. The checks look at nothing else, so they need no
 * no database.
 */
export interface World {
  catalogue: Catalogue;
  /** Objects in their own service's table, by type. */
  rows: Map<string, Rows>;
  /** Copies, by service and type. */
  replicas: Map<string, Map<string, Rows>>;
  /** Brief forms of objects of all types, by service that keeps them. */
  kept: Map<string, Kept[]>;
  /** What each service has written to its outbox, in the order of commits per object. */
  events: Map<string, ChangeEvent[]>;
  /** How many events have not been published yet, and how many messages are parked. */
  unpublished: number;
  parked: { service: string; key: string; error: string }[];
  /** Deletions whose marks remain. */
  marks: { service: string; type: string; id: number }[];
  received: readonly Message[];
  rule: RuleOf;
}

/** A violation, in a sentence. */
export type Complaint = string;

export const rowsOf = (world: World, type: string): Rows => world.rows.get(type) ?? new Map();

/** Events of all services by object, in order. */
export function eventsByObject(world: World): Map<string, ChangeEvent[]> {
  return Map.groupBy([...world.events.values()].flat(), (event) => `${event.objectType}:${event.objectId}`);
}
