/** What the forms of a model need to know beyond its fields. All of it may be left out. */
export interface FormWords {
  /**
   * What narrows a picker's choices in addition to the other pickers: by filter of the picker's list, the field of the
   * form that gives the value, or `id` for the object itself.
   */
  narrowed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Pages that say something about the value of a field while it is typed: they get the named fields as parameters, and
   * the part of their answer with the class `told` is shown below the field.
   */
  told?: Readonly<Record<string, { by: string; from: readonly string[] }>>;
  /** Secrets that must be typed twice, as a user who mistypes one would be locked out. */
  twice?: readonly string[];
  /** Whether a name with ranges makes several objects; `false` where nobody needs several similar ones. */
  many?: false;
}
