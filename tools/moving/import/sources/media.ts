import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';

/** Reads uploaded files in a folder by their paths there, as the database has them; undefined for what is not there. */
export function mediaIn(folder: string | undefined): (path: string) => Promise<Buffer | undefined> {
  return async (path) => {
    if (folder === undefined) return undefined;
    const file = resolve(folder, path);
    // A path of a database may be anything.
    if (relative(folder, file).startsWith('..')) return undefined;
    try {
      return await readFile(file);
    } catch (error) {
      if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  };
}
