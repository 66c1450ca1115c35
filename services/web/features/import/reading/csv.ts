import { parse as parseCsv } from 'csv-parse/sync';
import {
  Count,
  fieldsWithin,
  type ImportLimits,
  oneMore,
  type Parsed,
  type Position,
  type Row,
  Unreadable,
} from './rows.ts';

/** The part of a text from which its delimiter is guessed, in characters. */
const HEAD = 10_000;

/** Spreadsheets in some countries write semicolons or tabs. */
function delimiterOf(text: string): string {
  const head = text.slice(0, HEAD).split('\n', 1)[0]!;
  return [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!;
}

interface Found {
  record: Record<string, string>;
  info: { lines: number };
}

const linesIn = (text: string): number => (text.includes('\n') ? text.split('\n').length - 1 : 0);

/** The rows of a table, whose head names its columns. @throws Unreadable */
export function csvRows(text: string, limits: ImportLimits): Parsed {
  const rows: Row[] = [];
  const count = new Count(limits);
  const columns = new Map<string, Position>();
  const places: Record<string, number> = Object.create(null);
  const head = (names: string[], line: number): string[] => {
    fieldsWithin(names.length, limits, { line });
    return names.map((given, at) => {
      const name = given.trim();
      if (name && columns.has(name)) throw new Unreadable('importColumnTwice', { name }, { line, column: at + 1 });
      if (!columns.has(name)) columns.set(name, { line, column: at + 1 });
      places[name] ??= at + 1;
      return name;
    });
  };
  try {
    let headLine = 1;
    parseCsv(text, {
      columns: (names: string[]) => head(names, headLine),
      delimiter: delimiterOf(text),
      skip_empty_lines: true,
      info: true,
      trim: true,
      max_record_size: limits.length,
      // The library's only callback for each row as it is read; the library then does not collect the rows itself.
      on_record: ((found: Found) => {
        const { record, info } = found;
        const cells = Object.values(record);
        // The library reports the line in which a row ends.
        const line = info.lines - cells.reduce((sum, cell) => sum + linesIn(cell), 0);
        headLine = line;
        oneMore(rows, limits, { line });
        count.values(cells.length, { line });
        rows.push({ line, values: record, places });
        return null;
      }) as never,
    });
  } catch (error) {
    throw error instanceof Unreadable ? error : unreadable(error as Error & { code?: string; lines?: number });
  }
  return { rows, texts: true, columns };

  function unreadable({ code, message, lines }: Error & { code?: string; lines?: number }): Unreadable {
    const at = lines === undefined ? {} : { line: lines };
    if (code === 'CSV_MAX_RECORD_SIZE') return new Unreadable('importLength', { count: limits.length }, at);
    return new Unreadable('importMalformed', { format: 'CSV', text: message }, at);
  }
}
