import { HttpError } from '@cadastre/service/errors';

/** What was asked for; undefined where somebody may not see it, so that it is left out. */
export async function allowed<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) return undefined;
    throw error;
  }
}
