import { type Head, headOf, listsOf, type Pages, pagesOf } from '../lists.ts';
import type { Reader } from '../reader.ts';

/** One of two installations that are compared. All methods throw Unreadable, where it does not answer. */
export interface Side {
  /** Its address for people, without credentials. */
  base: string;
  /** The addresses of its lists, such as `/api/dcim/sites/`. */
  lists(): Promise<readonly string[]>;
  /** What a list says of itself; undefined for what is no list of objects with ids. */
  head(list: string): Promise<Head | undefined>;
  pages(list: string): Pages;
}

/** An installation by its API. */
export const apiSide = (reader: Reader): Side => ({
  base: reader.base,
  lists: () => listsOf(reader),
  head: (list) => headOf(reader, list),
  pages: (list) => pagesOf(reader, list),
});
