import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';

/** Reads uploaded files from a folder by their paths in it, as the database has them; undefined for a missing file. */
export function mediaIn(folder: string | undefined): (path: string) => Promise<Buffer | undefined> {
  return async (path) => {
    if (folder === undefined) return undefined;
    const file = resolve(folder, path);
    // A path from a database may be anything.
    if (relative(folder, file).startsWith('..')) return undefined;
    try {
      return await readFile(file);
    } catch (error) {
      if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  };
}
