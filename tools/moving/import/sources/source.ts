import type { Dict } from '@cadastre/model';

/** A list of objects at the source. */
export interface Collection {
  /** `<app>.<model>` where this side knows it, else the path. */
  type: string;
  /** `dcim/sites` */
  path: string;
  count: number;
}

/**
 * Where objects come from. What it reads are representations as the API's: references as objects with an `id` or as
 * the id itself, choices as `{value,label}` or as the value.
 */
export interface Source {
  /** Its address for messages, without credentials. */
  readonly name: string;
  collections(): Promise<readonly Collection[]>;
  /** The objects of a collection by ascending id, those above `after`. */
  read(collection: Collection, after?: number): AsyncIterable<Dict>;
  /** The bytes of an uploaded file; undefined when there is no file. */
  file(path: string): Promise<Buffer | undefined>;
  /** The preferences of users, if the source has them. */
  preferences?(): AsyncIterable<Preferences>;
  close(): Promise<void>;
}

/** The preferences of a user, by the user's id. */
export interface Preferences {
  user: number;
  config: Dict;
}
