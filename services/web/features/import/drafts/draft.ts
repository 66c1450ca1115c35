import type { Dict, Json } from '@cadastre/model';
import type { FileColumn } from '../columns/fileColumns.ts';
import type { Row } from '../reading/parse.ts';

/** An object that a row names: by a text, by its id, or by several attributes; by one attribute where it is given. */
export interface Named {
  column: FileColumn;
  attribute?: string | undefined;
  text?: string;
  id?: number;
  known?: Dict;
  /** The row of the object that it stands in, and the member there. */
  into?: { row: Dict; member: string };
}

/** An object that has been found for a column of a row. */
interface Found {
  id: number;
  type: string;
  /** What is known of it. */
  object: Dict;
}

/** An object to be written: its values, and the objects that it names. */
export interface Draft extends Pick<Row, 'line' | 'places'> {
  body: Dict;
  /** The columns that members of the body come from, where they have other names. */
  from: Record<string, string>;
  /** The object as it is, if the row changes one. */
  before?: Dict;
  /** What the file says, by column. */
  said: Dict;
  named: Named[];
  /** What was found, by column. */
  found: Record<string, Found>;
  /** Which row of the file it is. */
  nth: number;
  /** Which rows are to be made before, by the member that leads to what is made of them. */
  after: Record<string, number>;
  /** Whether other objects lead to this one, by the column that says so. */
  marks: Record<string, boolean>;
  /** What is left out, as it does not exist yet. */
  later: string[];
  /** The same once all has been found: what is written after the object itself. */
  marked?: readonly Marked[];
  /** Lists of objects inside it, as the file has them. */
  parts: Record<string, Json>;
  problems: Record<string, string>;
}

/** What an object is found by that leads, or no longer leads, to the object of a row. */
export interface Marked {
  column: string;
  on: boolean;
  type: string;
  id: number;
}
