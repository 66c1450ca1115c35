import type { Cell, Values } from '@cadastre/model';
import type { Item } from './item.ts';
import type { Cause } from './change.ts';

/** An object on its way into the database. */
export interface Draft {
  item: Item;
  object: Values;
  before: Values | null;
  beforeCells: Cell[] | null;
  /** Its own request, where several write together. */
  cause?: Cause;
}
