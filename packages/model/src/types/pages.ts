/** What a model says of its web pages; all of it has a default from the declaration. */
export interface Pages {
  /** The column that leads to an object, where that is not its name or what stands for it. */
  title?: string;
  /** Columns that a list shows first, in order. */
  columns?: string[];
  /**
   * Fields that stand together on an object's page and in its form, by what they are about, in order. Those in no group
   * stand in the first one, or in one of those that come by themselves: place, tenancy, connection, data.
   */
  groups?: Readonly<Record<string, string[]>>;
}
