import { AsyncLocalStorage } from 'node:async_hooks';
import { inLanguage } from '@cadastre/pages';
import { type Language, LANGUAGES } from './texts.ts';

/**
 * The language of whoever is answered. Names of models and fields are said in many places that have nothing else to do
 * with a request; so it goes along with the request instead of through all of them.
 */
const current = new AsyncLocalStorage<Language>();

/** Does something in a language; panels of services hear of it as well. */
export const speaking = <T>(language: Language, locale: string, task: () => T): T =>
  inLanguage({ code: language.code, locale }, () => current.run(language, task));

export const spoken = (): Language => current.getStore() ?? LANGUAGES[0];

/** What is made once for each language. */
export function perLanguage<T>(make: () => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const { code } = spoken();
    let one = made.get(code);
    if (one === undefined) made.set(code, (one = make()));
    return one;
  };
}
