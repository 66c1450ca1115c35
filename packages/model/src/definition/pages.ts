/** What a model says of its web pages; all of it has a default from the declaration. */
export interface Pages {
  /** Columns that a list shows first, in order. */
  columns?: string[];
  /** Fields that stand together on an object's page and in its form, in order; those in no group stand in the first. */
  groups?: { title: string; fields: string[] }[];
}
