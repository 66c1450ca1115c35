import type { IncomingMessage } from 'node:http';
import type { UserIdentity } from '@cadastre/service/identity';
import type { Api } from './api.ts';

/** Somebody who has come to a page, and what they have brought. */
export interface Visit {
  user: UserIdentity;
  api: Api;
  /** What stands in the address where the pattern has `*`. */
  parts: readonly string[];
  query: URLSearchParams;
  /** The fields of a form that was sent. */
  form: URLSearchParams;
  /** The types of all objects. */
  types: ReadonlySet<string>;
  /**
   * Whether somebody may ever do this to objects of that type; what of it may be done to which object, the API says.
   */
  may(action: string, type: string): Promise<boolean>;
  req: IncomingMessage;
}

/** What a page answers: a template and what it shows, or where to go on. */
export type Answer = { view: string; title: string; data: Record<string, unknown>; status?: number } | { to: string };

export interface Page {
  method: 'GET' | 'POST';
  /** Begins and ends with a slash; `*` stands for any one part. */
  path: string;
  answer(visit: Visit): Promise<Answer>;
}
