import { html, type Html } from '../markup/html.ts';
import { languageCode } from './language.ts';

const UNITS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, 'year'],
  [2_629_800, 'month'],
  [604_800, 'week'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

const known = new Map<string, Intl.RelativeTimeFormat>();

function wordsIn(language: string): Intl.RelativeTimeFormat {
  let words = known.get(language);
  if (!words)
    known.set(language, (words = new Intl.RelativeTimeFormat(language, { numeric: 'always', style: 'short' })));
  return words;
}
const now = (language: string): string =>
  new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second');

/** How long ago a moment was, or how far ahead it is: `3 min. ago`, `in 2 hr.`, `vor 3 Min.` */
export function agoText(moment: string, at: number = Date.now()): string {
  const seconds = (Date.parse(moment) - at) / 1_000;
  const [size, unit] = UNITS.find(([least]) => Math.abs(seconds) >= least) ?? [1, 'second'];
  const language = languageCode();
  return Math.abs(seconds) < 5 ? now(language) : wordsIn(language).format(Math.trunc(seconds / size), unit);
}

/** A moment by how long ago it is, with the moment itself in the title; scripts put that into the reader's zone. */
export const ago = (moment: string, at?: number): Html =>
  html`<time datetime="${moment}" title="${moment.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d).*$/, '$1 $2')} UTC" data-relative>${agoText(moment, at)}</time>`;
