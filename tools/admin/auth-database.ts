import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig, serviceDatabaseUrl, withDatabase } from '@cadastre/service/config';
import type { Environment } from '@cadastre/service/read-settings';
import { clusterFolder } from '../local/embedded-postgres/cluster.ts';

/** No database is named, and none runs on DATA_DIR. The message says which settings to give. */
class NoDatabase extends Error {
  override readonly name = 'NoDatabase';
}

/**
 * The address of the auth service's database: as the services read it from the environment (AUTH_DATABASE_URL, or
 * DATABASE_URL), else that of the PostgreSQL that `npm start` runs on DATA_DIR, for a system user who may read its
 * password.
 * @throws NoDatabase, ConfigError
 */
export function authDatabase(env: Environment): string {
  const config = loadConfig(env);
  if (config.databaseUrl || config.databaseUrls.has('auth')) return serviceDatabaseUrl(config, 'auth');
  const folder = resolve(config.dataDir);
  const postgres = join(folder, 'postgres');
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new NoDatabase(
        (error as NodeJS.ErrnoException).code === 'EACCES'
          ? `The system on DATA_DIR ${folder} belongs to another account: run this as that one.`
          : `No system is running on DATA_DIR ${folder} (npm start starts one). Where its databases are elsewhere, set DATABASE_URL as for npm start, or AUTH_DATABASE_URL.`,
      );
    }
  };
  // The fourth line of PostgreSQL's own pid file.
  const port = Number(read(join(clusterFolder(postgres), 'postmaster.pid')).split('\n')[3]);
  const password = read(join(postgres, 'password')).trim();
  return withDatabase(`postgres://postgres:${password}@127.0.0.1:${port}`, 'cadastre_auth');
}
