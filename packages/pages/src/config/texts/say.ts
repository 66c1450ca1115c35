import { speaker } from '../../language/language.ts';
import { de } from './de.ts';

/** The texts of panels that several services share. */
export const { say, put } = speaker({ de });
