import { types } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { LogFn, Logger, LoggerOptions } from 'pino';

export type RepeatLimits = {
  /** The same error is logged once in this time. */
  readonly everyMs: number;
  /** An error that has not occurred for this long is logged in full again, with its stack. */
  readonly forgottenMs: number;
};

/** What is known of an error that has been logged. */
interface Told {
  /** How often it has occurred since then. */
  untold: number;
  /** Logs the last of these. */
  tell: (() => void) | undefined;
  timer: NodeJS.Timeout | undefined;
}

type Line = Parameters<LogFn>;
type Hook = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/**
 * Fields by which lines with the same error differ. Fields that are unique to each request (its id, its address) are
 * not among them.
 */
const apart = ['to', 'owner', 'type', 'crashed', 'database'];
/** The number of different errors that are remembered. */
const most = 500;
const info = 30;
const fatal = 60;

/**
 * A hook for pino. While something is unavailable, each request and each iteration of a loop meets the same error: the
 * first is logged in full, then at most one line per `everyMs`, without the stack, says how often it has occurred
 * since. Lines without an error are not changed.
 */
export function limitRepeats({ everyMs, forgottenMs }: RepeatLimits = { everyMs: 1_000, forgottenMs: 60_000 }): Hook {
  const known = new LRUCache<string, Told>({ max: most, ttl: forgottenMs, updateAgeOnGet: true });
  return function limited(this: Logger, line, method, level) {
    const key = level >= info && level < fatal ? keyOf(line as Line, level) : undefined;
    if (key === undefined) return method.apply(this, line);
    const told = known.get(key);
    const rest = (of: Told): void => {
      of.timer = setTimeout(() => {
        of.timer = undefined;
        of.tell?.();
        if (of.tell) rest(of);
        of.tell = undefined;
        of.untold = 0;
      }, everyMs).unref();
    };
    if (!told) {
      const first: Told = { untold: 0, tell: undefined, timer: undefined };
      known.set(key, first);
      rest(first);
      return method.apply(this, line);
    }
    told.untold += 1;
    told.tell = () => {
      method.apply(this, shortened(line as Line, told.untold) as typeof line);
    };
    if (told.timer) return;
    told.tell();
    told.tell = undefined;
    told.untold = 0;
    rest(told);
  };
}

/** What identifies an error; undefined for a line without one. */
function keyOf([first, second]: Line, level: number): string | undefined {
  const about = fieldsOf(first);
  const { err } = about;
  const reason = types.isNativeError(err) ? errorKey(err) : (about['reason'] ?? about['error']);
  if (typeof reason !== 'string') return undefined;
  // Numbers differ between occurrences: ports, process ids, milliseconds.
  return [
    level,
    typeof second === 'string' ? second : '',
    reason.replace(/\d+/g, '#').slice(0, 300),
    ...apart.map((name) => about[name] ?? ''),
  ].join('\n');
}

const fieldsOf = (first: unknown): Record<string, unknown> =>
  types.isNativeError(first)
    ? { err: first }
    : typeof first === 'object' && first !== null
      ? (first as Record<string, unknown>)
      : {};

function errorKey(error: Error): string {
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  return `${cause.name} ${(cause as NodeJS.ErrnoException).code ?? ''} ${cause.message}`;
}

/** The line as a reminder: how often, and the error without its stack. */
function shortened([first, second, ...more]: Line, times: number): Line {
  const { err, ...about } = fieldsOf(first);
  return [
    { ...about, ...(types.isNativeError(err) ? { err: withoutStack(err) } : {}), times },
    second ?? (types.isNativeError(first) ? first.message : undefined),
    ...more,
  ] as Line;
}

/**
 * An object of the same class and with the same properties, as pino logs errors by these. It does not inherit from the
 * error: the getters of some errors (DOMException, which timeouts throw) only work on the error itself.
 */
function withoutStack(error: Error): Error {
  const message =
    error.message ||
    (error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0].message : '');
  return Object.defineProperties(Object.assign(new Error(message), error, { name: error.name }), {
    constructor: { value: error.constructor },
    stack: { value: '' },
  });
}
