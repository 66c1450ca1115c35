import type { Dict, Json } from '@cadastre/model';
import { isDict } from '@cadastre/model';
import { parse as parseCsv } from 'csv-parse/sync';
import { LineCounter, parseAllDocuments } from 'yaml';

export const FORMATS = ['auto', 'csv', 'json', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];

/** One object of a file: where it stands, and what the file says of it. Texts of CSV are read by what their field is. */
export interface Row {
  line: number;
  values: Dict;
}

export interface Parsed {
  rows: Row[];
  /** Whether values are texts whatever they mean. */
  texts: boolean;
}

/** Why a file cannot be read, and where. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly line: number | undefined;
  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** What a text looks like. */
export function formatOf(text: string): Exclude<Format, 'auto'> {
  const begin = text.trimStart();
  if (/^[[{]/.test(begin)) return 'json';
  const [first = ''] = begin.split('\n', 1);
  return /^---|^- |^[\w-]+:(\s|$)/.test(first) ? 'yaml' : 'csv';
}

/** The objects of a file. @throws Unreadable */
export function parseRows(text: string, format: Format): Parsed {
  const plain = text.replace(/^\uFEFF/, '');
  const kind = format === 'auto' ? formatOf(plain) : format;
  if (kind === 'csv') return { rows: csv(plain), texts: true };
  return { rows: kind === 'json' ? json(plain) : yaml(plain), texts: false };
}

/** Semicolons and tabs are what spreadsheets of some countries write. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!;
}

function csv(text: string): Row[] {
  try {
    const found: { record: Record<string, string>; info: { lines: number } }[] = parseCsv(text, {
      columns: (names: string[]) => names.map((name) => name.trim()),
      delimiter: delimiterOf(text),
      skip_empty_lines: true,
      info: true,
      trim: true,
    });
    return found.map(({ record, info }) => ({ line: info.lines, values: record }));
  } catch (error) {
    throw new Unreadable((error as Error).message, (error as { lines?: number }).lines);
  }
}

/** JSON is YAML, too, and so tells where an object stands; but what is no JSON is refused as such. */
function json(text: string): Row[] {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Unreadable((error as Error).message);
  }
  return yaml(text);
}

function yaml(text: string): Row[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, schema: 'core' });
  const rows: Row[] = [];
  for (const document of [documents].flat()) {
    const [wrong] = document.errors;
    if (wrong) throw new Unreadable(wrong.message, wrong.linePos?.[0].line);
    let value: Json;
    try {
      value = document.toJS({ maxAliasCount: 100 }) as Json;
    } catch (error) {
      throw new Unreadable((error as Error).message);
    }
    const items = (document.contents as { items?: { range?: [number, number, number] | null }[] } | null)?.items;
    const start = document.contents?.range?.[0] ?? 0;
    for (const [at, one] of (Array.isArray(value) ? value : value === null ? [] : [value]).entries()) {
      const { line } = lines.linePos((Array.isArray(value) && items?.[at]?.range?.[0]) || start);
      if (!isDict(one)) throw new Unreadable('An object is expected here.', line);
      rows.push({ line, values: one });
    }
  }
  return rows;
}
