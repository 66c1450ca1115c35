import type { Dict, Json } from '@cadastre/model';
import type { FileColumn } from '../columns/fileColumns.ts';
import type { Row } from '../reading/parse.ts';

/**
 * A reference in a row to an object: by text, by id, or by several attributes; `attribute` limits it to one attribute.
 */
export interface Named {
  column: FileColumn;
  attribute?: string | undefined;
  text?: string;
  id?: number;
  known?: Dict;
  /** If the reference is in a row of rows: that row, and the member that takes the id. */
  into?: { row: Dict; member: string };
}

/** An object that has been found for a column of a row. */
interface Found {
  id: number;
  type: string;
  /** Its known members. */
  object: Dict;
}

/** An object to be written: its values, and its references to other objects. */
export interface Draft extends Pick<Row, 'line' | 'places'> {
  body: Dict;
  /** The columns of members of the body that have another name than their column. */
  from: Record<string, string>;
  /** The present object, if the row changes one. */
  before?: Dict;
  /** The contents of the file, by column. */
  said: Dict;
  named: Named[];
  /** The objects that were found, by column. */
  found: Record<string, Found>;
  /** The number of the row in the file. */
  nth: number;
  /** The rows that have to be created before this one, by the member that refers to them. */
  after: Record<string, number>;
  /** Whether other objects are to refer to this one, by the column that says so. */
  marks: Record<string, boolean>;
  /** References that are left out, as their objects do not exist yet. */
  later: string[];
  /** The same with the objects found: the references to this object, which are written after it. */
  marked?: readonly Marked[];
  /** The lists of parts inside the object, as they are in the file. */
  parts: Record<string, Json>;
  problems: Record<string, string>;
}

/** An object that is to refer to the object of a row, or no longer to refer to it. */
export interface Marked {
  column: string;
  on: boolean;
  type: string;
  id: number;
}
