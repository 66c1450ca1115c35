import { acceptedLanguages, inLanguage, speaker } from '@cadastre/pages';
import { de } from './de.ts';

/** The texts of the gateway's pages; a translation is another object with the same names. */
export const { say } = speaker({ de });

const KNOWN = ['en', 'de'];

/** Runs something in the language that the browser asks for, as nobody has logged in yet. */
export function spokenTo<T>(accepted: string | undefined, work: () => T): T {
  const code = acceptedLanguages(accepted).find((one) => KNOWN.includes(one)) ?? 'en';
  return inLanguage({ code, locale: code }, work);
}
