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
  /** Statements that nothing is special about. */
  readonly readBatcher: ReadBatcher;
  readonly settings: { regex: RegexSettings };
  readonly limiters: { regexes: FairLimiter };
}

/** Who waits for an answer, and until when: the signal is made only where somebody asks for it. */
export interface Waiter {
  gone?(): AbortSignal;
}

/** As whom requests count that take long: those of nobody in particular are one user's. */
export const userOf = ({ userId }: Requester): string => String(userId ?? '');

/** How the statements of a request run. */
export type Run = (statement: Statement) => Promise<Cell[][]>;

/**
 * What statements of a request are like: the parameters that hold regular expressions, and whether they may take so
 * long that they are cancelled for who leaves.
 */
export interface StatementKind {
  regexes: readonly string[];
  long?: boolean;
}

/**
 * Statements with regular expressions of a client run in turn, on a small share of the connections and within a time of
 * their own, so that nobody waits for them but those who send such. @throws Refusal 400 that names the parameters when
 * they take too long or are none
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
