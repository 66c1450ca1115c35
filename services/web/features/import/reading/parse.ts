import { csvRows } from './csv.ts';
import { jsonRows } from './json.ts';
import type { ImportLimits, Parsed } from './rows.ts';
import { yamlRows } from './yaml.ts';

export * from './rows.ts';

export const FORMATS = ['auto', 'csv', 'json', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];
export type Kind = Exclude<Format, 'auto'>;

/** The part of a text from which its format is guessed, in characters. */
const BEGIN = 10_000;

/** The format that a text appears to have. */
export function formatOf(text: string): Kind {
  const begin = text.trimStart().slice(0, BEGIN);
  if (/^[[{]/.test(begin)) return 'json';
  const [first = ''] = begin.split('\n', 1);
  return /^---|^- |^[\w-]+:(\s|$)/.test(first) ? 'yaml' : 'csv';
}

const readers = { csv: csvRows, json: jsonRows, yaml: yamlRows };

/** The text without its byte order mark, and its format. */
export function readAs(text: string, format: Format): { text: string; kind: Kind } {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return { text: plain, kind: format === 'auto' ? formatOf(plain) : format };
}

/** The objects of a text; `seen` is called with the number of objects so far. @throws Unreadable */
export function parseRows(given: string, format: Format, limits: ImportLimits, seen?: (rows: number) => void): Parsed {
  const { text, kind } = readAs(given, format);
  return readers[kind](text, { ...limits, seen });
}
