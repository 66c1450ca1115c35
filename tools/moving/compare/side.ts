import { type Head, headOf, listsOf, type Pages, pagesOf } from '../lists.ts';
import type { Reader } from '../reader.ts';

/** One of the two installations that are compared. All methods throw Unreadable when it does not answer. */
export interface Side {
  /** Its address for messages, without credentials. */
  base: string;
  /** The addresses of its lists, such as `/api/dcim/sites/`. */
  lists(): Promise<readonly string[]>;
  /** The size of a list, and where its objects belong; undefined for what is no list of objects with ids. */
  head(list: string): Promise<Head | undefined>;
  pages(list: string): Pages;
}

/** An installation that is read by its API. */
export const apiSide = (reader: Reader): Side => ({
  base: reader.base,
  lists: () => listsOf(reader),
  head: (list) => headOf(reader, list),
  pages: (list) => pagesOf(reader, list),
});
