/** What the forms of a model need to know beyond its fields. All of it may be left out. */
export interface FormWords {
  /**
   * What narrows a picker's choices, beyond what the other pickers say, as filters of its list: the field of the form
   * whose value is meant, or `id` for the object itself.
   */
  narrowed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Pages that tell something of what is typed into a field, while it is: they get the named fields as parameters, and
   * what has the class `told` in their answer stands below the field.
   */
  told?: Readonly<Record<string, { by: string; from: readonly string[] }>>;
  /** Secrets that are typed twice, as whoever has mistyped one is shut out. */
  twice?: readonly string[];
  /** Whether a name with ranges makes many; `false` where nobody makes several alike. */
  many?: false;
}
