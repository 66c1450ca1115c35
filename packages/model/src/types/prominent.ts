/** That people look for objects of a model first: their number stands on the home page, and they are found while one types. */
export interface Prominent {
  /** The letter that leads to their list, after `g`. No two models have the same. */
  key?: string;
}
