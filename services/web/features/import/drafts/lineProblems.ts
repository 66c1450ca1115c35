import { type Dict, isDict, type Json } from '@cadastre/model';
import type { HttpError } from '@cadastre/service/errors';
import { problemsOf } from '../../../client/problems.ts';
import type { Draft } from './draft.ts';
import { positionOf } from '../reading/parse.ts';

/** What is wrong with an object of a file, by field; an empty name is about the whole of it. */
export interface LineProblem {
  line: number;
  /** The line in which the object begins, where that is another one. */
  row?: number;
  /** Where in the line, where that is known: see `Position`. */
  column?: number;
  field: string;
  text: string;
  /** Whether it is no more than that there is such an object already. */
  there?: boolean;
}

/** Whether all that the API says of something is that it is there already. */
export const saysThere = (said: unknown): boolean =>
  Array.isArray(said) ? said.length > 0 && said.every(saysThere) : / already exists\.$/.test(String(said));

/** Where a row says a field: the column may have another name. */
export const at = (
  draft: Pick<Draft, 'line' | 'places' | 'from'>,
  field: string,
): Pick<LineProblem, 'line' | 'column' | 'row'> =>
  inRow(draft, positionOf({ ...draft, values: {} }, placed(draft, field)));

/** A place in a row that may go over several lines. */
export const inRow = <T extends { line: number }>({ line }: Pick<Draft, 'line'>, place: T): T & { row?: number } =>
  place.line === line ? place : { ...place, row: line };

/** How many objects something is wrong with. */
export const rowsIn = (problems: readonly Pick<LineProblem, 'line' | 'row'>[]): number =>
  new Set(problems.map(rowOf)).size;

/** The line in which the object begins that something is wrong with. */
export const rowOf = ({ line, row = line }: Pick<LineProblem, 'line' | 'row'>): number => row;

/** The column that a field is said in: `site`, `site.name`, or one of another name. */
function placed({ places, from }: Pick<Draft, 'places' | 'from'>, field: string): string {
  const column = from[field] ?? field;
  return column in places ? column : (Object.keys(places).find((name) => name.startsWith(`${column}.`)) ?? column);
}

/** The problems that are known before anything is asked of the API. */
export const problemsIn = (drafts: readonly Draft[]): LineProblem[] =>
  drafts.flatMap((draft) =>
    Object.entries(draft.problems).map(([field, text]) => ({ ...at(draft, field), field, text })),
  );

type Placed = Pick<Draft, 'line' | 'places' | 'from'>;

/** What the API finds wrong with a list of objects, each at its row. */
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

/** What a refusal of one object says, without its fields. */
export const textsIn = (body: unknown): string[] => Object.values(problemsOf({ body }));
