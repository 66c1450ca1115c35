import { acceptedLanguages, filled } from '@cadastre/pages';
import { answering } from './answers.ts';
import { de } from './de.ts';
import { answers as germanAnswers } from './de/answers.ts';
import { labels as germanLabels } from './de/labels.ts';
import { en } from './en.ts';
import { labels as englishLabels } from './en/labels.ts';
import type { Labels } from './en/shape.ts';

/** Every text of the pages by its name, with placeholders for values: `{count}`. */
type Catalogue = { readonly [Name in keyof typeof en]: string };
export type TextName = keyof typeof en;

/** Gives texts in one language. */
export type Texts = (name: TextName, values?: Record<string, string | number>) => string;

const textsIn =
  (catalogue: Catalogue): Texts =>
  (name, values) =>
    values === undefined ? catalogue[name] : filled(catalogue[name], values);

export const english = textsIn(en);

export interface Language {
  /** As in the `lang` attribute. */
  code: string;
  /** In the language itself. */
  name: string;
  texts: Texts;
  labels: Labels;
  /** Translates a refusal of the API. */
  answer(text: string): string;
}

/** The languages of the pages, each with a catalogue of texts. The first is the default for all other languages. */
export const LANGUAGES: readonly [Language, ...Language[]] = [
  { code: 'en', name: 'English', texts: english, labels: englishLabels, answer: (text) => text },
  {
    code: 'de',
    name: 'Deutsch',
    texts: textsIn({ ...en, ...de }),
    labels: germanLabels,
    answer: answering(germanAnswers),
  },
];

/** The language that the user has chosen, or else one that the browser accepts (`Accept-Language`). */
export function languageFor(chosen: string | undefined, accepted: string | undefined): Language {
  const wanted = acceptedLanguages(accepted);
  for (const code of chosen === undefined ? wanted : [chosen, ...wanted]) {
    const found = LANGUAGES.find((one) => one.code === baseOf(code));
    if (found) return found;
  }
  return LANGUAGES[0];
}

const baseOf = (code: string): string => code.toLowerCase().split('-', 1)[0]!;

/** The locale of dates in a language: with the country that the browser names, if it names one. */
export function localeFor({ code }: Pick<Language, 'code'>, accepted: string | undefined): string {
  const named = (accepted ?? '')
    .split(',')
    .map((one) => one.trim().split(';', 1)[0]!)
    .find((one) => baseOf(one) === code && /^[a-z]{2}(?:-[a-z0-9]{2,8}){0,2}$/i.test(one));
  return named !== undefined && Intl.DateTimeFormat.supportedLocalesOf(named).length ? named : code;
}
