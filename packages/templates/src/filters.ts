import type { Callable } from './arguments.ts';
import { listFilters } from './filters.list.ts';
import { textFilters } from './filters.text.ts';

/** Jinja2's everyday filters under its names, and `header_safe`. No prototype, so that only these names exist. */
export const filters: Record<string, Callable> = Object.assign(
  Object.create(null) as Record<string, Callable>,
  textFilters,
  listFilters((name) => filters[name]),
);

export const filterNames: ReadonlySet<string> = new Set(Object.keys(filters));
