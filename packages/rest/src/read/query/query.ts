import { readQuery } from '@cadastre/body';
import { invalid } from '../../core/errors.ts';

/** The parsed query string of a list or detail request; nothing of it is checked against a model yet. */
export interface Query {
  /** Parameters that may be filters: name and values in their order. */
  filters: [name: string, values: string[]][];
  fields: string[] | null;
  omit: string[] | null;
  /** Any value means yes, even `false`, as in the reference. */
  brief: boolean;
  exclude: string[];
  ordering: string[] | null;
  page: Page;
  /** Whether it names saved filters, whose parameters are still to be added. */
  saved: boolean;
  /** Name of the export template to render the list with. */
  export: string | null;
  /** All parameters, for links to other pages. */
  all: URLSearchParams;
}

export type Page = { mode: 'offset'; limit: number; offset: number } | { mode: 'cursor'; limit: number; start: number };

export interface PageSettings {
  paginateCount: number;
  maxPageSize: number;
  /** The most parameters of an address; 1,000 by default. */
  maxParameters?: number;
}

/** Parameters that shape the answer and are never filters. */
const SHAPE = new Set([
  'limit',
  'offset',
  'start',
  'ordering',
  'fields',
  'omit',
  'brief',
  'exclude',
  'format',
  'export',
  'filter',
  'filter_id',
]);

const names = (text: string | null): string[] | null =>
  text === null || text === ''
    ? null
    : text
        .split(',')
        .map((n) => n.trim())
        .filter(Boolean);

/** Truth of a query parameter. */
export const truthy = (text: string | null): boolean =>
  text !== null && ['true', 't', 'yes', 'y', 'on', '1'].includes(text.toLowerCase());

/**
 * @throws Refusal 400 for page parameters that exclude each other, text that PostgreSQL cannot hold, too many
 * parameters
 */
export function parseQuery(search: string, settings: PageSettings): Query {
  const all = readQuery(search, settings.maxParameters);
  const filters = new Map<string, string[]>();
  for (const [name, value] of all) {
    if (value.includes('\0') || name.includes('\0'))
      throw invalid({ [name.replaceAll('\0', '')]: ['Null characters are not allowed.'] });
    if (SHAPE.has(name)) continue;
    const values = filters.get(name);
    if (values) values.push(value);
    else filters.set(name, [value]);
  }
  return {
    filters: [...filters],
    fields: names(all.get('fields')),
    omit: names(all.get('omit')),
    brief: Boolean(all.get('brief')),
    exclude: names(all.get('exclude')) ?? [],
    ordering: names(all.get('ordering')),
    page: pageOf(all, settings),
    saved: all.has('filter') || all.has('filter_id'),
    export: all.get('export'),
    all,
  };
}

function pageOf(all: URLSearchParams, settings: PageSettings): Page {
  const limit = limitOf(all.get('limit'), settings);
  const start = all.get('start');
  if (start === null || start === '')
    return { mode: 'offset', limit, offset: Math.min(whole(all.get('offset')) ?? 0, Number.MAX_SAFE_INTEGER) };
  if (all.has('offset')) throw invalid(["'start' and 'offset' are mutually exclusive."]);
  const from = whole(start);
  if (from === undefined) throw invalid(["Invalid 'start' parameter: must be a non-negative integer."]);
  if (all.get('ordering')) throw invalid(['Ordering cannot be specified in conjunction with cursor-based pagination.']);
  return { mode: 'cursor', limit, start: from };
}

/** Page size; 0 stands for no limit, which only exists where the maximum is switched off. */
function limitOf(text: string | null, { paginateCount, maxPageSize }: PageSettings): number {
  const asked = whole(text);
  if (asked === undefined) return paginateCount;
  if (asked === 0) return maxPageSize;
  return maxPageSize ? Math.min(asked, maxPageSize) : asked;
}

const whole = (text: string | null): number | undefined =>
  text !== null && /^\s*\+?\d{1,15}\s*$/.test(text) ? Number(text) : undefined;

/** The address of another page: the same parameters, sorted by name, with some replaced (null removes). */
export function pageLink(address: string, all: URLSearchParams, change: Record<string, string | null>): string {
  const link = new URLSearchParams([...all].filter(([name]) => !Object.hasOwn(change, name)));
  for (const [name, value] of Object.entries(change)) if (value !== null) link.append(name, value);
  link.sort();
  return `${address}?${link}`;
}
