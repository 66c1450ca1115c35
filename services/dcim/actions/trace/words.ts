import type { Outcome } from './scene.ts';

/** The text for each outcome of a path. */
const ENDINGS = {
  complete: 'The path is complete',
  inactive: 'The path is complete, but not all of its cables are connected',
  split: 'The path splits here: it is not known which way it goes on',
  open: 'The path is not complete: nothing leads on from here',
} as const satisfies Readonly<Record<Outcome, string>>;

/** The texts of a drawing, apart from names. */
export type TraceText =
  | (typeof ENDINGS)[Outcome]
  | 'Path from {name}'
  | '{name}: the path may go on here'
  | 'Nothing is connected here'
  | 'Side {side}'
  | 'Cable {name}'
  | '{count} segment'
  | '{count} segments'
  | '{count} cable'
  | '{count} cables'
  | '{count} cable without a length'
  | '{count} cables without a length'
  | 'total length {metric} ({feet})'
  | 'no length known';

/** The language of its texts. */
export interface TraceWords {
  say(text: TraceText, values?: Readonly<Record<string, string | number>>): string;
  /** A choice that a model declares, such as a state. */
  choice(label: string): string;
  number(value: number): string;
}

/** The API always speaks English. */
export const ENGLISH: TraceWords = {
  say: (text, values = {}) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
  choice: (label) => label,
  number: (value) => value.toLocaleString('en-US', { maximumFractionDigits: 3 }),
};

export const endingOf = (outcome: Outcome): TraceText => ENDINGS[outcome];

/** The totals over the cables of a path. */
export interface Measured {
  segments: number;
  cables: number;
  metres: number;
  unmeasured: number;
}

/**
 * What is said of a path's length: lengths of all cables, whatever their units, in metres (kilometres when there are
 * many) and feet.
 */
export function measured({ segments, cables, metres, unmeasured }: Measured, { say, number }: TraceWords): string {
  const counted = (count: number, one: TraceText, several: TraceText): string =>
    say(count === 1 ? one : several, { count: number(count) });
  const rounded = (value: number, digits: number): string => number(Number(value.toFixed(digits)));
  const metric = metres >= 1000 ? `${rounded(metres / 1000, 3)} km` : `${rounded(metres, 2)} m`;
  const feet = `${rounded(metres / 0.3048, metres < 100 ? 1 : 0)} ft`;
  return [
    counted(segments, '{count} segment', '{count} segments'),
    counted(cables, '{count} cable', '{count} cables'),
    metres ? say('total length {metric} ({feet})', { metric, feet }) : cables ? say('no length known') : '',
    metres && unmeasured
      ? counted(unmeasured, '{count} cable without a length', '{count} cables without a length')
      : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
