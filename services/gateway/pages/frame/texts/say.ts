import { acceptedLanguages, inLanguage, speaker } from '@cadastre/pages';
import { de } from './de.ts';

/** What the door says; a translation is another object with the same names. */
export const { say } = speaker({ de });

const KNOWN = ['en', 'de'];

/** Does something in the language that a browser asks for: nobody has said at the door who they are. */
export function spokenTo<T>(accepted: string | undefined, work: () => T): T {
  const code = acceptedLanguages(accepted).find((one) => KNOWN.includes(one)) ?? 'en';
  return inLanguage({ code, locale: code }, work);
}
