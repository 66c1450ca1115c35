import { isDict } from './values.ts';

/** What a template can call, with arguments by position or by Jinja2's names. */
export type Callable = (...args: unknown[]) => unknown;

// Keyword arguments arrive as a last argument. They are recognised by identity, as data may have any key.
const keywordArguments = new WeakSet<object>();

/** Marks an object as the keyword arguments of a call. */
export function keywords<Values extends object>(values: Values): Values {
  keywordArguments.add(values);
  return values;
}

const isKeywords = (value: unknown): value is Record<string, unknown> => isDict(value) && keywordArguments.has(value);

/**
 * Lets a function that takes arguments by position be called with Jinja2's names as well.
 * `names` are those of the arguments after the first `skip`.
 */
export const named =
  (names: readonly string[], run: Callable, skip = 1): Callable =>
  (...args) => {
    const last = args.at(-1);
    if (!isKeywords(last)) return run(...args);
    const positional = args.slice(0, -1);
    for (const [name, value] of Object.entries(last)) {
      const place = names.indexOf(name);
      if (place < 0) throw new Error(`unexpected keyword argument '${name}'`);
      positional[place + skip] = value;
    }
    return run(...positional);
  };

/** Splits keyword arguments off. */
export function splitKeywords(args: readonly unknown[]): {
  positional: readonly unknown[];
  keywords: Record<string, unknown>;
} {
  const last = args.at(-1);
  return isKeywords(last) ? { positional: args.slice(0, -1), keywords: last } : { positional: args, keywords: {} };
}

/** A whole number within bounds, or the default when there is none. */
export function whole(value: unknown, fallback: number, max = 100_000): number {
  if (value === undefined || value === null) return fallback;
  const found = typeof value === 'number' ? Math.trunc(value) : Number.NaN;
  if (Number.isNaN(found)) throw new Error('expected a number');
  if (Math.abs(found) > max) throw new Error(`numbers larger than ${max} are not allowed here`);
  return found;
}

// Long enough for any message, short enough to be refused before it fills the memory.
const maxText = 8 * 1024 * 1024;

/** Repeats a text, if the result stays within bounds. */
export function repeat(value: string, times: number): string {
  if (value.length * times > maxText) throw new Error('the text would become too long');
  return times > 0 ? value.repeat(times) : '';
}
