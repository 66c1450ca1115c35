// The data of an installation is private: its folder and the files in it can be read by its own account alone.
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { rightsOf } from './data-dir.ts';

/** The entries of DATA_DIR that we create. */
const OURS = ['secrets.json', 'run.json', 'media', 'compile-cache'];
/** The files of PostgreSQL, which root runs under another account. */
const POSTGRES = 'postgres';

/**
 * Folders that are not ours alone, whatever they contain: shared ones (`/tmp`), a home folder, or the root of the file
 * system.
 */
const isShared = (folder: string, mode: number): boolean =>
  (mode & 0o1000) !== 0 || [homedir(), dirname(folder)].some((other) => resolve(other) === folder);

/**
 * Revokes the rights of others to an installation that was created with too wide rights. Files of another account are
 * left as it is.
 * @param passing whether another account must be able to pass through to PostgreSQL's files
 * @returns what others can still read
 */
export function mendRights(dataDir: string, passing: boolean): string[] {
  const folder = resolve(dataDir);
  const through = rightsOf(passing);
  const open: string[] = [];
  const keep = (path: string, rights: number): void => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found || found.isSymbolicLink() || (found.mode & 0o077 & ~rights) === 0) return;
    if (found.isDirectory() && isShared(path, found.mode)) {
      open.push(path);
      return;
    }
    try {
      chmodSync(path, (found.mode & 0o700 & rights) | (rights & 0o077));
    } catch {
      open.push(path);
    }
  };
  keep(folder, through);
  keep(join(folder, POSTGRES), through);
  for (const name of OURS) keep(join(folder, name), 0o700);
  const logs = lstatSync(join(folder, POSTGRES), { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(join(folder, POSTGRES))
    : [];
  for (const name of logs) if (name.endsWith('.log')) keep(join(folder, POSTGRES, name), 0o700);
  return open;
}
