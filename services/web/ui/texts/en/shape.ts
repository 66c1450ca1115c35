/** The names of models, their fields, and of titles that belong to models, in one language. */
export interface Labels {
  /** By the name of the field; if a name is missing here, it is derived from the field's name. */
  fields: Readonly<Record<string, string>>;
  /** Singular and plural, by the singular in the model's declaration. */
  models: Readonly<Record<string, readonly [one: string, several: string]>>;
  /** Titles of groups of fields, panels, tabs and groups of the menu, by the English ones. */
  titles: Readonly<Record<string, string>>;
  /** Choices that are words, such as states, by their English labels; other choices are the same in every language. */
  choices: Readonly<Record<string, string>>;
  /** Help texts of form fields, by the English texts. */
  help: Readonly<Record<string, string>>;
  /** Whether names are written in lower case within a sentence. */
  lower: boolean;
}
