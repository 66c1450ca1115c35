import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withDatabase } from '@cadastre/service/config';
import { ensureDatabases } from '../embedded-postgres/databases.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/start.ts';
import { type Alone, startAlone } from './alone.ts';

export interface Where {
  /** Default: any free port. */
  readonly port?: number;
  /** Keeps the database; default: a folder that is removed in the end. */
  readonly data?: string | undefined;
}

function folderOf(data: string | undefined): string {
  const folder = data === undefined ? mkdtempSync(join(tmpdir(), 'cadastre-service-')) : resolve(data);
  mkdirSync(folder, { recursive: true });
  // Root runs PostgreSQL under another account, which must be able to enter the folder.
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * Runs one service alone, with a PostgreSQL server of its own that holds the event log too, for as long as the work
 * takes. The second argument of the work is the address of the service's database.
 */
export async function withServiceAlone(
  name: string,
  { port = 0, data }: Where,
  work: (service: Alone, database: string) => Promise<unknown>,
): Promise<void> {
  const folder = folderOf(data);
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    durable: data !== undefined,
    tell: (text) => process.stderr.write(`${text}\n`),
  });
  try {
    const databases = [`cadastre_${name}`, 'cadastre_events'] as const;
    await ensureDatabases(postgres.url, databases);
    const [own, events] = databases.map((one) => withDatabase(postgres.url, one)) as [string, string];
    const service = await startAlone(name, { dataDir: join(folder, 'service'), port, databases: { own, events } });
    try {
      await work(service, own);
    } finally {
      await service.stop();
    }
  } finally {
    await postgres.stop();
    if (data === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
