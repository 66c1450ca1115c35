import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connected } from './database.ts';
import type { Counts, Sample } from './samples.ts';
import { read } from '../machine/processes.ts';
import type { System } from '../../tools/testing/fresh-system.ts';

/** Values need no escaping: they are constants of this file without special characters. */
const SETTINGS = { log_statement: 'all', log_line_prefix: '%d|', log_parameter_max_length: '0' };

/**
 * Runs some work while the embedded PostgreSQL logs every statement; samples count those logged so far. Undefined for
 * any other server, whose log cannot be read.
 */
export async function logStatements<T>(
  system: System,
  work: (take: () => Promise<Sample>) => Promise<T>,
): Promise<T | undefined> {
  const folder = join(system.folder, 'postgres');
  const password = read(join(folder, 'password')).trim();
  if (!password) return undefined;
  const url = new URL(system.databaseUrl('dcim'));
  Object.assign(url, { username: 'postgres', password, pathname: '/postgres' });
  const set = (statementOf: (name: string, value: string) => string) =>
    connected(url.toString(), async (client) => {
      for (const [name, value] of Object.entries(SETTINGS)) await client.query(statementOf(name, value));
      await client.query('select pg_reload_conf()');
    });
  await set((name, value) => `alter system set ${name} = '${value}'`);
  try {
    return await work(async () => ({
      at: performance.now(),
      counts: countStatements(readFileSync(join(folder, 'server.log'), 'utf8')),
    }));
  } finally {
    await set((name) => `alter system reset ${name}`);
  }
}

/** A statement may begin on the next line; PostgreSQL indents continuation lines. */
const STATEMENT = /^(?:cadastre_)?([^|\n]*)\|LOG: {2}(?:statement|execute [^:\n]*):[\s(]*((\w+).*)/gm;
/** The number of characters by which statements are told apart. */
const TOLD = 90;

/** The name of the count that has an entry for each statement. */
export const ONE_BY_ONE = 'statements one by one';

/** Counts the statements in a log by database, by first word, and by text. */
export function countStatements(log: string): Counts {
  const databases: Record<string, number> = {};
  const words: Record<string, number> = {};
  const each: Record<string, number> = {};
  const count = (counts: Record<string, number>, where: string) => {
    counts[where] = (counts[where] ?? 0) + 1;
  };
  for (const [, database = '', text = '', word = ''] of log.matchAll(STATEMENT)) {
    count(databases, database);
    count(words, word.toLowerCase());
    count(each, `${database}: ${text.replace(/\s+/g, ' ').trim().slice(0, TOLD)}`);
  }
  return { statements: databases, 'statements by kind': words, [ONE_BY_ONE]: each };
}
