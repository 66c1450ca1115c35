import type { Dict, Errors, Json, Values } from '@cadastre/model';
import type { Requester } from '../plan/permissions.ts';
import type { Executor } from '../query/sql.ts';

export interface SaveContext {
  /** The object as it was, or null on creation. */
  before: Values | null;
  /** What the client sent. */
  given: Dict;
  who: Requester;
  executor: Executor;
}

/** What a service does beside the storing of one model's objects. */
export interface Hooks {
  /** Fills in or replaces stored values (passwords are hashed, keys are made). Returns messages when the object must not be stored. */
  beforeSave?(object: Values, context: SaveContext): Promise<Errors | undefined> | Errors | undefined;
  /** Members of the answer to a create that are shown that once. */
  shownOnce?(object: Values): Record<string, Json> | undefined;
}
