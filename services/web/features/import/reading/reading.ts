import type { Jobs, TemplateJobs } from '@cadastre/templates';
import type { TextName } from '../../../ui/texts/texts.ts';
import { type Format, parseRows } from './parse.ts';
import { portionsOf } from './portions.ts';
import { type Repeat, repeatsIn } from './repeats.ts';
import { type ImportLimits, type Position, Unreadable } from './rows.ts';

/** A text, and how to read it. */
export interface Reading {
  text: string | Uint8Array;
  format: Format;
  limits: ImportLimits;
  /** Fields whose values no two objects may share. */
  unique: readonly string[];
}

/** The contents of a text. */
export interface Found {
  texts: boolean;
  columns: [name: string, at: Position][];
  total: number;
  /** How many rows have the id of an object, and so change it. */
  changes: number;
  /** The rows, see `portionsOf`. */
  portions: string[];
  repeats: Repeat[];
}

/** Why a text cannot be read. */
export interface Fault {
  fault: TextName;
  said: Readonly<Record<string, string | number>>;
  at: Partial<Position>;
}

export interface ReadJobs extends TemplateJobs, Jobs {
  read: { job: { kind: 'read' } & Reading; result: Found | Fault };
}

/** The most repeated values that are reported. */
const REPEATS = 200;

export const textIn = (text: string | Uint8Array): string =>
  typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8');

/** Reads a text; `seen` is called with the number of objects so far. */
export function found({ text, format, limits, unique }: Reading, seen?: (rows: number) => void): Found | Fault {
  try {
    const { rows, texts, columns } = parseRows(textIn(text), format, limits, seen);
    const isChange = ({ values: { id } }: (typeof rows)[number]): boolean =>
      id !== undefined && id !== '' && id !== null;
    return {
      texts,
      columns: [...columns],
      total: rows.length,
      changes: rows.filter(isChange).length,
      portions: [...portionsOf(rows)],
      repeats: repeatsIn(rows, unique, REPEATS),
    };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { fault: error.text, said: error.said, at: error.at };
  }
}
