import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '@cadastre/service/config-error';

/**
 * Makes the folder that an installation keeps everything in. @throws ConfigError that says what to set when it cannot
 * be made or written to
 */
export function prepareDataDir(folder: string): void {
  const told = (error: unknown, what: string): ConfigError =>
    new ConfigError([
      `DATA_DIR ${folder} cannot be ${what}: ${reasonOf(error)}. Set DATA_DIR to a folder that this account may write to, for example: DATA_DIR="$HOME/cadastre" npm start`,
    ]);
  try {
    makeFolder(folder);
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

/** One folder after the other, as node's own `recursive` tries for ever where none can be made (under /proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('a file'), { code: 'EEXIST' });
    return;
  }
  makeFolder(dirname(folder));
  mkdirSync(folder);
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
