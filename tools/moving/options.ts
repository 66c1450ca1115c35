import { ANSWER_MAX_BYTES } from './requests.ts';

const MIB = 1024 * 1024;

/** The value of an option: a whole number of at most three digits. @throws Error that names the option */
export function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,3}$/.test(text)) throw new Error(`--${name} must be a number, not ${text}.`);
  return Number(text);
}

/** The largest answer in bytes, from the option --max-answer in MiB. @throws Error that names the option */
export const answerBytes = (text: string | undefined): number =>
  Math.max(1, wholeNumber('max-answer', text, ANSWER_MAX_BYTES / MIB)) * MIB;
