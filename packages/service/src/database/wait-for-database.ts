import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../observe/log.ts';
import { ConfigError } from '../settings/read-settings.ts';
import { maskUrl } from '../settings/secret.ts';

/** Errors while a database is still coming up: no listener yet, no DNS name yet, starting up, not created yet. */
const comingUp = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '57P03',
  '3D000',
  '53300',
]);

/** SQLSTATE class of a login that is refused: trying again would not help. */
const refused = /^28/;

/**
 * Connects once the database is there, with growing pauses. The caller ends the client. `variable` is the setting that
 * the URL comes from.
 * @throws ConfigError when the database does not let this user in, with this password
 * @throws what the database says when it refuses for another reason or when the time is up
 */
export async function connectWhenReady(
  url: string,
  limits: { waitMs: number; applicationName?: string; variable?: string },
  log: Log,
): Promise<Client> {
  const until = Date.now() + limits.waitMs;
  for (let pause = 50; ; pause = Math.min(pause * 2, 2_000)) {
    const client = new Client({
      connectionString: url,
      application_name: limits.applicationName,
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      const code = reason(error);
      if (refused.test(code))
        throw new ConfigError([
          `${limits.variable ?? 'DATABASE_URL'}: cannot log in at ${maskUrl(url)}: ${message(error)}`,
        ]);
      if (!comingUp.has(code) || Date.now() + pause > until)
        throw new Error(`Cannot connect to ${maskUrl(url)}: ${message(error)}`, { cause: error });
      if (pause >= 800) log.info({ database: maskUrl(url), reason: code }, 'waiting for the database');
      await sleep(pause);
    }
  }
}

function reason(error: unknown): string {
  if (error instanceof AggregateError) return reason(error.errors[0]);
  if (error instanceof Error && error.message.includes('timeout expired')) return 'ETIMEDOUT';
  return String((error as { code?: unknown }).code ?? '');
}

const message = (error: unknown): string =>
  error instanceof AggregateError ? message(error.errors[0]) : error instanceof Error ? error.message : String(error);
