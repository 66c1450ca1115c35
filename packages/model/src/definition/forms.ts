import type { Json } from '../fields/field.ts';

/** Objects of another model that a file for import may hold inside one: `interfaces:` of a device type. */
export interface ImportedPart {
  /** Their type. */
  type: string;
  /** Their field that leads to the object around them. */
  by: string;
  /** Fields that name, by its name, a part of the same object that stands further up in the list. */
  names?: Readonly<Record<string, string>>;
  /** What is written, of what the file says; without it the same. */
  from?(said: { readonly [member: string]: Json }): { [member: string]: Json };
}

/** What the forms of a model need to know beyond its fields. All of it may be left out. */
export interface FormWords {
  /**
   * What a picker offers besides what follows from the other pickers, as filters of its list: the field of the form
   * whose value is meant, or `id` for the object itself.
   */
  narrowed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Parts that a file for import may hold inside an object, in the order in which they are made. */
  parts?: Readonly<Record<string, ImportedPart>>;
  /**
   * Pages that tell something of what is typed into a field, while it is: they get the named fields as parameters, and
   * what has the class `told` in their answer stands below the field.
   */
  told?: Readonly<Record<string, { by: string; from: readonly string[] }>>;
  /** Secrets that are typed twice, as whoever has mistyped one is shut out. */
  twice?: readonly string[];
  /** Whether a name with ranges makes many; `false` where nobody makes several alike. */
  many?: false;
  /** Members of such files that say nothing here. */
  ignored?: readonly string[];
}
