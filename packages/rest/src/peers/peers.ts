import type { Json, Reference } from '@cadastre/model';
import type { Requester } from '../core/requester.ts';
import type { TypedIds } from '../core/typedIds.ts';

/** How one reference was resolved: the object that it means, or why it means none. */
export type Resolved = { id: number } | { error: string };

/** A row of another service's table, by column name, as it goes into the replica. */
export type ReplicaRow = { id: number; _version: number } & Record<string, Json>;

/** The member beside the columns that holds an object's brief form, for a service that keeps it. */
export const BRIEF = '_brief';

export interface Resolution {
  results: Resolved[];
  rows: ReplicaRow[];
}

/** A service's answer to the deletion of objects of another service. */
export interface Dependents {
  /** How many of its objects stand in the way, and what the first of them are called. */
  count: number;
  names: string[];
  /**
   * The names of those of its objects that would no longer be unique without the reference that they would lose, and
   * what they would be the same as.
   */
  clashing?: string[];
  /**
   * Its own objects that would be deleted too and that others have a say in. They are marked for the deletion that
   * asked.
   */
  cascaded?: TypedIds[];
  /** Another deletion has marked one of those. */
  busy?: boolean;
}

/** What a deletion would do to other objects. */
export interface DeletionPreview {
  /** They would be deleted too. */
  deleted: TypedIds[];
  /** They prevent the deletion. */
  protecting: TypedIds[];
  /** They stay, and lose a reference. */
  changed: TypedIds[];
  /** They prevent the deletion, since they would no longer be unique without a reference that they would lose. */
  clashing: TypedIds[];
}

/** The other services, as a write needs them. @throws Unreachable when one does not answer */
export interface Peers {
  /** Asks the owner of a type what references mean; attributes are looked up with the requester's view permission. */
  resolve(
    service: string,
    type: string,
    references: Reference[],
    columns: string[],
    who: Requester,
  ): Promise<Resolution>;
  /**
   * Asks the owner of a type for the brief forms of objects, as JSON texts without the server's address; those that are
   * not there have none.
   */
  briefs(service: string, type: string, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Asks a service which of some of its objects those who ask may view. */
  viewable(
    service: string,
    questions: readonly { who: Requester; objects: readonly TypedIds[] }[],
  ): Promise<TypedIds[][]>;
  /**
   * Asks the owner of a type for objects as they are now, regardless of who may see them; missing ones are left out.
   */
  rows(service: string, type: string, columns: readonly string[], ids: readonly number[]): Promise<ReplicaRow[]>;
  /**
   * Asks a service about the deletion of the given objects. `by` names the deletion; objects that the requester may not
   * view are not named.
   */
  prepareDeletion(service: string, type: string, ids: number[], by: string, who: Requester): Promise<Dependents>;
  /** Asks a service what deleting objects would do to its own, and changes nothing. */
  preview(service: string, objects: readonly TypedIds[]): Promise<DeletionPreview>;
  /** Tells a service that the deletion does not take place. */
  releaseMarks(service: string, by: string): Promise<void>;
}

/** Another service could not be asked. Nothing was changed; the client may try again. */
export class Unreachable extends Error {
  readonly service: string;
  constructor(service: string, cause: unknown) {
    super(`service ${service} cannot be reached`, { cause });
    this.service = service;
  }
}
