import { speaker } from '../../language/language.ts';
import { de } from './de.ts';

/** What panels say that services have in common. */
export const { say, put } = speaker({ de });
