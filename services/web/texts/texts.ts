import { en } from './en.ts';

/** Every text of the pages by its name, with places for values: `{count}`. */
export type Catalogue = { readonly [Name in keyof typeof en]: string };
export type TextName = keyof typeof en;

/** Says texts in a language. */
export type Texts = (name: TextName, values?: Record<string, string | number>) => string;

export const textsIn =
  (catalogue: Catalogue): Texts =>
  (name, values = {}) =>
    catalogue[name].replace(/\{(\w+)\}/g, (place, value: string) => String(values[value] ?? place));

export const english = textsIn(en);
