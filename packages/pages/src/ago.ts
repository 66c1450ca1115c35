import { html, type Html } from './html.ts';

const UNITS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, 'year'],
  [2_629_800, 'month'],
  [604_800, 'week'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** How long ago a moment was, or how far ahead it is: `3 min. ago`, `in 2 hr.` */
export function agoText(moment: string, now: number = Date.now()): string {
  const seconds = (Date.parse(moment) - now) / 1_000;
  const [size, unit] = UNITS.find(([least]) => Math.abs(seconds) >= least) ?? [1, 'second'];
  return Math.abs(seconds) < 5 ? 'just now' : words.format(Math.trunc(seconds / size), unit);
}

/** A moment by how long ago it is, with the moment itself in the title; scripts put that into the reader's zone. */
export const ago = (moment: string, now?: number): Html =>
  html`<time datetime="${moment}" title="${moment.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d).*$/, '$1 $2')} UTC" data-relative>${agoText(moment, now)}</time>`;
