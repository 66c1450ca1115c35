// Checks the PostgreSQL servers in the environment before anything starts, and reports any problem in one sentence.
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '@cadastre/service/config';
import { ensureDatabases, MayNotCreate } from '../../embedded-postgres/databases.ts';

/** A variable that names a server, and the databases that must be there. */
export type NamedServer = { readonly variable: string; readonly url: string; readonly databases: readonly string[] };

/** How long it takes until a mistyped address is reported. */
export const answerWithinMs = 3_000;
/** The pause between two attempts, and the least time for one. */
const pauseMs = 250;
const leastMs = 500;

/** The error of a server that is starting, and will be ready soon. */
const starting = '57P03';
const away = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * Makes sure that a server lets us in and has the databases, creating those that are missing. One that is away may come
 * within `withinMs`; one that says that it is starting gets `startingMs`.
 * @throws ConfigError that names the variable and the cause
 */
export async function prepareServer(
  server: NamedServer,
  withinMs = answerWithinMs,
  startingMs = 30_000,
): Promise<void> {
  const began = Date.now();
  const passed = (): number => Date.now() - began;
  for (; ; await sleep(pauseMs)) {
    try {
      return await ensureDatabases(server.url, server.databases, Math.max(withinMs - passed(), leastMs));
    } catch (error) {
      const { code, reason } = explained(error);
      const patience = code === starting ? startingMs : away.has(code) ? withinMs : 0;
      if (passed() + pauseMs + leastMs > patience) throw new ConfigError([sentence(server, error, reason)]);
    }
  }
}

function sentence({ variable, url }: NamedServer, error: unknown, reason: string): string {
  const { hostname, port, searchParams } = new URL(url);
  const place = `${searchParams.get('host') ?? hostname}:${port || 5432}`;
  if (error instanceof MayNotCreate) {
    return `${variable}: on ${place} the role ${error.role} may not create databases, and these are missing: ${error.missing.join(', ')} (create them, or: alter role ${error.role} createdb)`;
  }
  return `${variable}: cannot connect to PostgreSQL at ${place}: ${reason}`;
}

/** The code of an error and its text; of several attempts (a name with several addresses) those of the first. */
function explained(error: unknown): { code: string; reason: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return explained(error.errors[0]);
  const { code = '', message } = error as { code?: string; message: string };
  if (/timeout expired|Connection terminated due to connection timeout/.test(message))
    return { code: 'ETIMEDOUT', reason: 'no answer' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { code, reason: 'there is no host of that name' };
  if (code === 'ECONNREFUSED') return { code, reason: 'nothing listens there' };
  return { code, reason: message };
}
