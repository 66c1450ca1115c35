/** What models, their fields, and titles that stand with models are called in a language. */
export interface Labels {
  /** By the name of the field; without one, the name is written as people write it. */
  fields: Readonly<Record<string, string>>;
  /** One and several, by what one is called in its declaration. */
  models: Readonly<Record<string, readonly [one: string, several: string]>>;
  /** Titles of groups of fields, panels, tabs and groups of the menu, by the English ones. */
  titles: Readonly<Record<string, string>>;
  /** Choices that are words, such as states, by the English ones: whatever else there is to choose is called alike. */
  choices: Readonly<Record<string, string>>;
  /** What stands below fields of forms, by the English texts. */
  help: Readonly<Record<string, string>>;
  /** Whether names are written in lower case within a sentence. */
  lower: boolean;
}
