import type { Json } from '@cadastre/model';

/** An object as the API shows it. */
export type Shown = { id: number; url: string; display: string; [member: string]: Json };

/** A list as the API answers it. */
export interface Listed<T = Shown> {
  count: number;
  results: T[];
}

export interface Answer<T = unknown> {
  status: number;
  body: T;
  headers: { get(name: string): string | null };
}

export interface AskOptions {
  body?: unknown;
  /** Beside those that every request has. */
  headers?: Record<string, string>;
}

/** The API as one user sees it: the same services decide the same things as for that user's own requests. */
export interface Api {
  /** @throws HttpError as the API refuses it */
  get<T>(path: string): Promise<T>;
  /** @throws HttpError as the API refuses it */
  ask<T>(method: string, path: string, options?: AskOptions): Promise<Answer<T>>;
}
