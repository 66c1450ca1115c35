/** For models whose objects people look for first: the home page shows their number; they are found while one types. */
export interface Prominent {
  /** The letter that leads to their list, after `g`. No two models have the same. */
  key?: string;
}
