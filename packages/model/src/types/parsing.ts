import type { Dict, Json, Values } from './json.ts';

/**
 * What a value that a client sent turned into: a value to store (or a reference still to resolve), or messages for the
 * field.
 */
export type Parsed = { value: Json } | { reference: Reference } | { references: Reference[] } | { errors: FieldErrors };

/** Messages of one field: a list of texts, or texts by key (custom fields), or by index (lists). */
export type FieldErrors = string[] | { [key: string]: FieldErrors };

/** A related object as a client names it: by its id, or by attributes that must match exactly one object. */
export type Reference = { id: number; written?: Dict } | { attributes: Dict };

/** Encrypts texts for the database. `place` is where they belong (`placeOf`): elsewhere they do not open. */
export interface Seal {
  close(text: string, place: string): string;
  /** @throws an error when no key opens it, or somebody has changed it */
  open(sealed: string, place: string): string;
  /** Whether a stored text is encrypted by the present key, by an `old` one, or `open` for all to read. */
  state(text: string): 'closed' | 'old' | 'open';
}

/** What parsing may use besides the value; no I/O. */
export interface ParseContext {
  /** Encrypts what sealed fields are given. */
  seal?: Seal;
  /** The field that is read, for those that are sealed. */
  place?: string;
  /** Whether `<app>.<model>` names a type of object that exists. */
  knowsObjectType(name: string): boolean;
  /** The file that came with the request and that a value stands for. */
  file?(value: string): GivenFile | undefined;
}

export const fails = (...messages: string[]): Parsed => ({ errors: messages });

/** A file that came with a request. */
export interface GivenFile {
  /** As the client called it. */
  name: string;
  bytes: Buffer;
  /** Where it was kept elsewhere, and is to be kept here if nothing else is there. */
  path?: string;
  /** What it shows, or why that cannot be told. */
  image: { extension: string; width: number; height: number } | { problem: string };
}

/** How the files of a field are kept. */
export interface Upload {
  /** First part of their addresses: `/media/<folder>/…`. One service's own. */
  folder: string;
  /** What the file of an object is called, less the extension; by default as the client called it. */
  named?(object: Values, file: string): string;
  /** Fields that are filled from the file. */
  width?: string;
  height?: string;
  bytes?: string;
}
