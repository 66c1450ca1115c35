import type { Callable } from '../values/arguments.ts';
import { listFilters } from './list.ts';
import { textFilters } from './text.ts';
import { testsWith } from './tests.ts';

/** Jinja2's tests, which filters such as `select` use as well. */
export const tests: Record<string, Callable> = testsWith((name) => name in filters);

/** Jinja2's filters under its names, and `header_safe`. No prototype, so that only these names exist. */
export const filters: Record<string, Callable> = Object.assign(
  Object.create(null) as Record<string, Callable>,
  textFilters,
  listFilters(
    (name) => filters[name],
    (name) => tests[name],
  ),
);

export const testNames: ReadonlySet<string> = new Set(Object.keys(tests));
export const filterNames: ReadonlySet<string> = new Set(Object.keys(filters));
