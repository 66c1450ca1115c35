import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

export type Cluster = { readonly folder: string; readonly password: string };

/** Where the files of the server are. */
export const clusterFolder = (dataDir: string): string => join(resolve(dataDir), 'cluster');

/**
 * Creates the database cluster in `dataDir` unless it exists. An interrupted creation leaves nothing behind.
 */
export async function ensureCluster(
  dataDir: string,
  binaries: Binaries,
  account: Account,
  durable = true,
): Promise<Cluster> {
  // Another account has to pass through this folder.
  mkdirSync(dataDir, { recursive: true, mode: account.uid === undefined ? 0o700 : 0o711 });
  const folder = clusterFolder(dataDir);
  const passwordFile = join(dataDir, 'password');
  if (existsSync(join(folder, 'PG_VERSION'))) {
    checkVersion(folder);
    return { folder, password: readFileSync(passwordFile, 'utf8').trim() };
  }
  const password = randomBytes(24).toString('base64url');
  const fresh = join(dataDir, 'cluster.new');
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined)
    for (const path of [fresh, passwordFile]) chownSync(path, account.uid, account.gid);
  await run(
    binaries.initdb,
    [
      `--pgdata=${fresh}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ],
    account,
  );
  renameSync(fresh, folder);
  return { folder, password };
}

/** The version whose programs npm installed; another major version cannot read the files. */
const majorVersion = '18';

function checkVersion(folder: string): void {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== majorVersion)
    throw new Error(
      `${folder} was written by PostgreSQL ${version}, and this is PostgreSQL ${majorVersion}. Move the data over with pg_dump, or set DATABASE_URL.`,
    );
}

async function run(program: string, parameters: readonly string[], account: Account): Promise<void> {
  const [command = program, ...rest] = [...account.prefix, program, ...parameters];
  const ids = account.prefix.length > 0 ? {} : { uid: account.uid, gid: account.gid };
  try {
    await promisify(execFile)(command, rest, { ...ids, cwd: '/', env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' } });
  } catch (error) {
    throw new Error(
      `PostgreSQL could not create its files: ${(error as { stderr?: string }).stderr?.trim() || (error as Error).message}`,
    );
  }
}
