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
