import { type Dict, isDict, type Json } from '@cadastre/model';
import type { HttpError } from '@cadastre/service/errors';
import { problemsOf } from '../../../client/problems.ts';
import type { Draft } from './draft.ts';
import { positionOf } from '../reading/parse.ts';

/** A problem with an object of a file; an empty field name means the whole object. */
export interface LineProblem {
  line: number;
  /** The line in which the object begins, if it is another one. */
  row?: number;
  /** The position in the line, if it is known: see `Position`. */
  column?: number;
  field: string;
  text: string;
  /** Whether the only problem is that the object exists already. */
  there?: boolean;
}

/** Whether the API reports no other problem than that something exists already. */
export const saysThere = (said: unknown): boolean =>
  Array.isArray(said) ? said.length > 0 && said.every(saysThere) : / already exists\.$/.test(String(said));

/** The position of a field in a row; its column may have another name. */
export const at = (
  draft: Pick<Draft, 'line' | 'places' | 'from'>,
  field: string,
): Pick<LineProblem, 'line' | 'column' | 'row'> =>
  inRow(draft, positionOf({ ...draft, values: {} }, placed(draft, field)));

/** A position in a row that may span several lines. */
export const inRow = <T extends { line: number }>({ line }: Pick<Draft, 'line'>, place: T): T & { row?: number } =>
  place.line === line ? place : { ...place, row: line };

/** How many objects something is wrong with. */
export const rowsIn = (problems: readonly Pick<LineProblem, 'line' | 'row'>[]): number =>
  new Set(problems.map(rowOf)).size;

/** The line in which the object with the problem begins. */
export const rowOf = ({ line, row = line }: Pick<LineProblem, 'line' | 'row'>): number => row;

/** The column of a field: `site`, `site.name`, or a column with another name. */
function placed({ places, from }: Pick<Draft, 'places' | 'from'>, field: string): string {
  const column = from[field] ?? field;
  return column in places ? column : (Object.keys(places).find((name) => name.startsWith(`${column}.`)) ?? column);
}

/** The problems that are known before any request to the API. */
export const problemsIn = (drafts: readonly Draft[]): LineProblem[] =>
  drafts.flatMap((draft) =>
    Object.entries(draft.problems).map(([field, text]) => ({ ...at(draft, field), field, text })),
  );

type Placed = Pick<Draft, 'line' | 'places' | 'from'>;

/** The problems that the API reports for a list of objects, each at its row. */
export function problemsAt(error: HttpError, rows: readonly Placed[]): LineProblem[] {
  const ofOne = (row: Placed | undefined, body: unknown): LineProblem[] =>
    Object.entries(problemsOf({ body })).map(([name, text]) => {
      const field = name === '__all__' ? '' : name;
      const said = isDict(body as Json) ? ((body as Dict)[name] ?? (body as Dict)['__all__']) : undefined;
      const there = saysThere(said) ? { there: true } : {};
      return { ...(row ? at(row, field) : { line: 0 }), field: row?.from[field] ?? field, text, ...there };
    });
  return Array.isArray(error.body)
    ? error.body.flatMap((one, i) => (i < rows.length ? ofOne(rows[i], one) : []))
    : ofOne(rows[0], error.body);
}

/** The problems in a refusal of one object, without the names of the fields. */
export const textsIn = (body: unknown): string[] => Object.values(problemsOf({ body }));
