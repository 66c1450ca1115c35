import { AsyncLocalStorage } from 'node:async_hooks';
import { html, type Html, type Part } from '../markup/html.ts';

/** A language, and the locale in which numbers and dates are written for its readers. */
interface Read {
  code: string;
  locale: string;
}
const ENGLISH: Read = { code: 'en', locale: 'en' };

// Texts are made in many places that know nothing of the request, so the language accompanies its asynchronous work.
const current = new AsyncLocalStorage<Read>();

/** The languages that a browser asks for (`Accept-Language`), the one that it wants most first. */
export const acceptedLanguages = (accepted: string | undefined): string[] =>
  (accepted ?? '')
    .split(',')
    .map((one) => one.trim().split(/\s*;\s*q=/))
    .map(([code = '', q = '1']) => ({ code, q: Number(q) }))
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q)
    .map(({ code }) => code.toLowerCase().split('-', 1)[0]!);

/** Does the work of a page for somebody who reads this language. */
export const inLanguage = <T>(read: Read, work: () => T): T => current.run(read, work);

/** The language in which a page is written, as `lang` has it. */
export const languageCode = (): string => (current.getStore() ?? ENGLISH).code;

/** A number as it is written in that language: `10,000`. */
export const numberText = (value: number | bigint): string =>
  value.toLocaleString((current.getStore() ?? ENGLISH).locale);

const PLACE = /\{(\w+)\}/;

/** A text with values in its places: `{count}`. A place without a value stays as it is. */
export const filled = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

/** The texts of a service's panels, by the English ones. */
export interface Speaker<Text extends string> {
  /** A text, with values in its places: `{count}`. */
  say(text: Text, values?: Readonly<Record<string, string | number>>): string;
  /** The same with markup in its places. */
  put(text: Text, values: Readonly<Record<string, Part>>): Html;
}

/**
 * Gives texts in the language of the page's reader. Texts stand in English where they are used; a translation is an
 * object with the English texts as keys. A text that a language lacks is given in English.
 */
export function speaker<Text extends string>(
  translations: Readonly<Record<string, Readonly<Record<Text, string>>>>,
): Speaker<Text> {
  const inHere = (text: Text): string => translations[languageCode()]?.[text] ?? text;
  return {
    say: (text, values) => (values === undefined ? inHere(text) : filled(inHere(text), values)),
    put: (text, values) =>
      html`${inHere(text)
        .split(PLACE)
        .map((part, i) => (i % 2 ? values[part] : part))}`,
  };
}
