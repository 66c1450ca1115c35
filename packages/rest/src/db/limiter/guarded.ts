import type { FairLimits, FairLimiter } from '@cadastre/body';
import type { Cell } from '@cadastre/model';
import type { Pool } from 'pg';
import type { ReadBatcher } from '../batch/readBatcher.ts';
import { invalid, type Refusal } from '../../core/errors.ts';
import type { Requester } from '../../core/requester.ts';
import { type Executor, rowsOf, type Statement } from '../sql.ts';
import { cancellable } from './cancellable.ts';

/** How large regular expressions may be, how long a statement with some may take, and how many may run and wait. */
export interface RegexSettings extends FairLimits {
  maxSize: number;
  timeoutMs: number;
}

/** What statements run on. */
export interface StatementEngine {
  readonly pool: Pool;
  /** For statements that need no special treatment. */
  readonly readBatcher: ReadBatcher;
  readonly settings: { regex: RegexSettings };
  readonly limiters: { regexes: FairLimiter };
}

/** A client that waits for an answer; `gone` makes the signal that it has left, only where it is called. */
export interface Waiter {
  gone?(): AbortSignal;
}

/** The user under whom a requester's long requests count; all requesters without a user count as one. */
export const userOf = ({ userId }: Requester): string => String(userId ?? '');

/** How the statements of a request run. */
export type Run = (statement: Statement) => Promise<Cell[][]>;

/**
 * How the statements of a request are to be run: which parameters hold regular expressions, and whether the statements
 * may take so long that they are cancelled when the client leaves.
 */
export interface StatementKind {
  regexes: readonly string[];
  long?: boolean;
}

/**
 * Runs statements with a client's regular expressions in turn, on a small share of the connections and with a timeout
 * of their own, so that they delay nobody but the clients that send them.
 * @throws Refusal 400 that names the parameters when the expressions take too long or are not valid
 */
export async function guarded<T>(
  engine: StatementEngine,
  { regexes, long }: StatementKind,
  who: Requester,
  { gone }: Waiter,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  if (!regexes.length) return long ? cancellable(engine.pool, { gone: gone?.() }, work) : work(engine.pool);
  const { timeoutMs: ms } = engine.settings.regex;
  const signal = gone?.();
  const wrong = (message: string): Refusal => invalid(Object.fromEntries(regexes.map((name) => [name, [message]])));
  try {
    return await engine.limiters.regexes.run(userOf(who), signal, () =>
      cancellable(engine.pool, { ms, gone: signal }, work),
    );
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '2201B') throw wrong('Enter a valid regular expression.');
    if (code === '57014')
      throw wrong(`The comparison took more than ${ms} ms. Use a simpler regular expression, or further filters.`);
    throw error;
  }
}

export const runner =
  (engine: StatementEngine, kind: StatementKind, who: Requester, waits: Waiter): Run =>
  (statement) =>
    kind.regexes.length || kind.long
      ? guarded(engine, kind, who, waits, (executor) => rowsOf(executor, statement))
      : engine.readBatcher.rows(statement);
