import type { Dict, Errors, Reference, Values } from '@cadastre/model';

/** One object of a write as the client sent it, checked field by field. */
export interface Item {
  /** Position in the request. */
  index: number;
  given: Dict;
  /** Id of an object to change. */
  id?: number;
  /** Stored values of the fields that were given. */
  values: Values;
  /** References still to be resolved, by field. */
  references: Map<string, Reference[]>;
  addTags: Reference[];
  removeTags: Reference[];
  customFields: Dict | undefined;
  /** Rows of lists that are part of the object, by field. */
  rows: Map<string, Item[]>;
  readMessage: string;
  errors: Errors;
}

export type Mode = 'create' | 'replace' | 'patch';

/** Whether something is wrong with what was sent for the object. */
export function hasErrors({ errors }: Item): boolean {
  for (const _ in errors) return true;
  return false;
}
