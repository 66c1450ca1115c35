import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';

/** What is asked for, unless the API refuses it with one of these statuses. */
async function unless<T>(statuses: readonly number[], asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof HttpError && statuses.includes(error.status)) return undefined;
    throw error;
  }
}

/** Undefined where the API says 403, so that what the user may not see is left out. */
export const allowed = <T>(asked: Promise<T>): Promise<T | undefined> => unless([403], asked);

/** The same also for what is not there, or what the user may not filter by. */
export const orNothing = <T>(asked: Promise<T>): Promise<T | undefined> => unless([400, 403, 404], asked);

/** A list that somebody may not see is empty. */
export const orNone = async <T>(asked: Promise<Listed<T>>): Promise<Listed<T>> =>
  (await unless([403, 404], asked)) ?? { count: 0, results: [] };
