import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Environment } from '../plan/environment.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * Where Node caches compiled sources: compiling is a third of a start, and a process that need not strip types needs
 * 10 MB less. The cache belongs to the sources, so all installations of a checkout share it; where the checkout is not
 * writable, it is in the data folder.
 */
export function compileCache(dataDir: string): string {
  const shared = join(root, 'node_modules', '.cache', 'cadastre', 'compile');
  try {
    mkdirSync(shared, { recursive: true });
    accessSync(shared, constants.W_OK);
    return shared;
  } catch {
    return join(dataDir, 'compile-cache');
  }
}

/**
 * How long filling it may take: two seconds on an idle machine. Otherwise services start without it, only later.
 */
const WARM_MS = 60_000;

/** Fills an empty cache with what all services have in common. */
export async function warm(services: string, env: Environment, signal: AbortSignal): Promise<void> {
  const folder = env.NODE_COMPILE_CACHE!;
  try {
    if (readdirSync(folder).length > 0) return;
  } catch {
    /* It is not there yet. */
  }
  await promisify(execFile)(
    process.execPath,
    [fileURLToPath(import.meta.resolve('@cadastre/service/warm')), services],
    { env, timeout: WARM_MS, signal },
  ).catch(() => {});
}
