import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';

/** The result of a request; undefined if the API refuses it with one of these statuses. */
async function unless<T>(statuses: readonly number[], asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof HttpError && statuses.includes(error.status)) return undefined;
    throw error;
  }
}

/** Undefined if the API answers 403, so that the page omits what the user may not see. */
export const allowed = <T>(asked: Promise<T>): Promise<T | undefined> => unless([403], asked);

/** Undefined also if the object does not exist, or if the user may not use the filter. */
export const orNothing = <T>(asked: Promise<T>): Promise<T | undefined> => unless([400, 403, 404], asked);

/** An empty list if the user may not see it. */
export const orNone = async <T>(asked: Promise<Listed<T>>): Promise<Listed<T>> =>
  (await unless([403, 404], asked)) ?? { count: 0, results: [] };
