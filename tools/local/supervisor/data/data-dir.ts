import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '@cadastre/service/config-error';

/**
 * The mode of a folder that PostgreSQL must pass through under another account, or of one for its own account alone.
 */
export const rightsOf = (passing: boolean): number => (passing ? 0o711 : 0o700);

/**
 * Makes the folder that an installation keeps everything in; nobody else may read it. @throws ConfigError that says what to set when it cannot
 * be made or written to
 */
export function prepareDataDir(folder: string, passing = false): void {
  const told = (error: unknown, what: string): ConfigError =>
    new ConfigError([
      `DATA_DIR ${folder} cannot be ${what}: ${reasonOf(error)}. Set DATA_DIR to a folder that this account may write to, for example: DATA_DIR="$HOME/cadastre" npm start`,
    ]);
  try {
    makeFolder(folder, rightsOf(passing));
  } catch (error) {
    throw told(error, 'created');
  }
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    writeFileSync(probe, 'probe');
    rmSync(probe);
  } catch (error) {
    throw told(error, 'written to');
  }
}

/** One folder after the other, as node's own `recursive` never returns where none can be created (under /proc). */
function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('a file'), { code: 'EEXIST' });
    return;
  }
  makeFolder(dirname(folder));
  mkdirSync(folder, mode === undefined ? {} : { mode });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EEXIST: 'a file stands in its way',
  ENOTDIR: 'a file stands in its way',
  ENOENT: 'there can be no folder at that place',
  ENAMETOOLONG: 'the path is too long',
};
const reasonOf = (error: unknown): string =>
  reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message;
