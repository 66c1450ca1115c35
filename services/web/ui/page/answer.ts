/** A template and its data. */
export interface Shows {
  view: string;
  title: string;
  data: Record<string, unknown>;
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** The page may be requested again before anything has changed, so it is worth caching. */
  again?: boolean;
}

/** Work in progress on a page that grows: what is shown at first, the progress, and the result. */
export interface Underway {
  /** Its template marks the place for the rest with `here`. */
  first: Shows;
  /** Progress messages; each replaces the one before it. */
  words: AsyncIterable<string>;
  last: Promise<Answer>;
}

/** The answer of a page: a template with data, a growing page, a redirect, a body, or a stream. */
export type Answer =
  | Shows
  | { underway: Underway }
  | { to: string }
  | { body: Buffer | string; type: string; headers?: Record<string, string>; status?: number }
  | { stream: AsyncIterable<string | Uint8Array>; type: string; headers: Record<string, string> };
