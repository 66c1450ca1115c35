import type { Row } from './rows.ts';

/** A value that occurs earlier in the file. */
export interface Repeat {
  line: number;
  field: string;
  before: number;
}

/** The values of these fields that occur more than once in a file, up to a limit. */
export function repeatsIn(rows: readonly Row[], fields: readonly string[], most: number): Repeat[] {
  const repeats: Repeat[] = [];
  for (const field of fields) {
    const first = new Map<string, number>();
    for (const { line, values } of rows) {
      const value = Object.hasOwn(values, field) ? values[field] : undefined;
      if ((typeof value !== 'string' && typeof value !== 'number') || value === '') continue;
      const before = first.get(String(value));
      if (before === undefined) first.set(String(value), line);
      else if (repeats.push({ line, field, before }) >= most) return repeats;
    }
  }
  return repeats;
}
