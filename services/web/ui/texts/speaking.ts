import { AsyncLocalStorage } from 'node:async_hooks';
import { inLanguage } from '@cadastre/pages';
import { type Language, LANGUAGES } from './texts.ts';

/**
 * The language of the current request. Names of models and fields are used in many places that have nothing else to do
 * with a request; so the language is stored in the asynchronous context instead of being passed through all of them.
 */
const current = new AsyncLocalStorage<Language>();

/** Runs a task in a language, which the panels of services use as well. */
export const speaking = <T>(language: Language, locale: string, task: () => T): T =>
  inLanguage({ code: language.code, locale }, () => current.run(language, task));

export const spoken = (): Language => current.getStore() ?? LANGUAGES[0];

/** A value that is created once for each language. */
export function perLanguage<T>(make: () => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const { code } = spoken();
    let one = made.get(code);
    if (one === undefined) made.set(code, (one = make()));
    return one;
  };
}
