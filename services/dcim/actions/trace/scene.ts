/** What a cable, or a circuit, is attached to: a port of a box. */
export interface Port {
  key: string;
  name: string;
  title: string;
  href: string;
}

/**
 * What has ports: a device, a circuit, a power panel. What a path ends in without a port (a site, the network of a
 * provider) has none.
 */
export interface Box {
  key: string;
  /** What it is, in small letters above its name. */
  kind: string;
  name: string;
  /** What else is said of it, a line each. */
  lines: readonly string[];
  href: string;
  /** Six hexadecimal digits; null where it has no colour of its own. */
  color: string | null;
  /** Where the path comes in, and where it goes on. */
  above: readonly Port[];
  below: readonly Port[];
}

export interface Cable {
  name: string;
  details: readonly string[];
  title: string;
  href: string;
  color: string | null;
  status: string;
}

/** From ports (or boxes without) over a cable to others; without a cable something else leads there. */
export interface Link {
  near: readonly string[];
  far: readonly string[];
  cable: Cable | null;
}

/**
 * How a path ends: at an end of paths, over cables that are not all in use, where it could go on in several ways, where
 * nothing leads on.
 */
export type Outcome = 'complete' | 'inactive' | 'split' | 'open';

/** A path as it is drawn, from top to bottom. `links[i]` lie between `levels[i]` and `levels[i + 1]`. */
export interface Scene {
  title: string;
  levels: readonly (readonly Box[])[];
  links: readonly (readonly Link[])[];
  /** Ports where it could go on, and how many more there are. */
  ways: readonly Port[];
  moreWays: number;
  outcome: Outcome;
  /** Lines below it: how it ends, and how long it is. */
  summary: readonly [string, string];
}

/** What is added up of the cables of a path. */
export interface Measured {
  segments: number;
  cables: number;
  metres: number;
  unmeasured: number;
}

const number = (value: number, digits: number): string =>
  Number(value.toFixed(digits)).toLocaleString('en-US', { maximumFractionDigits: digits });
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * What is said of a path's length: lengths of all cables, whatever their units, in metres (kilometres when there are
 * many) and feet.
 */
export function measured({ segments, cables, metres, unmeasured }: Measured): string {
  const length = metres
    ? [
        metres >= 1000 ? `${number(metres / 1000, 3)} km` : `${number(metres, 2)} m`,
        `${number(metres / 0.3048, metres < 100 ? 1 : 0)} ft`,
      ]
    : [];
  const total = length.length ? `total length ${length[0]} (${length[1]})` : cables ? 'no length known' : '';
  return [
    counted(segments, 'segment'),
    counted(cables, 'cable'),
    total,
    length.length && unmeasured ? `${counted(unmeasured, 'cable')} without a length` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Said of a path that ends so. */
export const ENDINGS: Readonly<Record<Outcome, string>> = {
  complete: 'The path is complete',
  inactive: 'The path is complete, but not all of its cables are connected',
  split: 'The path splits here: it is not known which way it goes on',
  open: 'The path is not complete: nothing leads on from here',
};
