/** A template, and what it shows. */
export interface Shows {
  view: string;
  title: string;
  data: Record<string, unknown>;
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** It may be asked for again before anything has changed: worth remembering. */
  again?: boolean;
}

/** What takes a while, on a page that grows: what is shown at first, how far it is, and what comes of it. */
export interface Underway {
  /** Its template says with `here` where the rest goes. */
  first: Shows;
  /** One sentence after the other; each takes the place of the one before it. */
  words: AsyncIterable<string>;
  last: Promise<Answer>;
}

/** What a page answers: a template and what it shows, or where to go on, or something that is no page. */
export type Answer =
  | Shows
  | { underway: Underway }
  | { to: string }
  | { body: Buffer | string; type: string; headers?: Record<string, string>; status?: number }
  | { stream: AsyncIterable<string | Uint8Array>; type: string; headers: Record<string, string> };
