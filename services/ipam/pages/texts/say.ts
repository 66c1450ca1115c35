import { speaker } from '@cadastre/pages';
import { de } from './de.ts';

/** What the pages of this service say; a translation is another object with the same names. */
export const { say } = speaker({ de });
