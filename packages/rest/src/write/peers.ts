import type { Json, Reference } from '@cadastre/model';
import type { Requester } from '../plan/permissions.ts';

/** What became of one reference: the object that it means, or why it means none. */
export type Resolved = { id: number } | { error: string };

/** A row of another service's table, by column name, as it goes into the replica. */
export type ReplicaRow = { id: number; _version: number } & Record<string, Json>;

export interface Resolution { results: Resolved[]; rows: ReplicaRow[] }

/** Objects in other services that refer to one that is to be deleted. */
export interface Dependents { count: number; names: string[] }

/** The other services, as a write needs them. @throws Unreachable when one does not answer */
export interface Peers {
  /** Asks the owner of a type what references mean; attributes are looked up with the requester's view permission. */
  resolve(service: string, type: string, references: Reference[], columns: string[], who: Requester): Promise<Resolution>;
  /** Asks a service how many of its objects protect the given ones from deletion. */
  countReferences(service: string, type: string, ids: number[]): Promise<Dependents>;
}

/** Another service could not be asked. Nothing was changed; the client may try again. */
export class Unreachable extends Error {
  readonly service: string;
  constructor(service: string, cause: unknown) {
    super(`service ${service} cannot be reached`, { cause });
    this.service = service;
  }
}
