/** What a cable, or a circuit, is attached to: a port of a box. */
export interface Port {
  key: string;
  name: string;
  title: string;
  href: string;
}

/**
 * What has ports: a device, a circuit, a power panel. An end without a port (a site, a provider's network) is a box
 * without ports.
 */
export interface Box {
  key: string;
  /** What it is, in small letters above its name. */
  kind: string;
  name: string;
  /** Further details, a line each. */
  lines: readonly string[];
  href: string;
  /** Six hexadecimal digits; null where it has no colour of its own. */
  color: string | null;
  /** The ports at which the path enters the box, and those at which it leaves. */
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

/** A connection from ports (or boxes without ports) to others; without a cable they are connected by something else. */
export interface Link {
  near: readonly string[];
  far: readonly string[];
  cable: Cable | null;
}

/**
 * How a path ends: at an endpoint, at an endpoint but over cables that are not all in use, where it could continue in
 * several ways, or where nothing continues it.
 */
export type Outcome = 'complete' | 'inactive' | 'split' | 'open';

/** A path as it is drawn, from top to bottom. `links[i]` lie between `levels[i]` and `levels[i + 1]`. */
export interface Scene {
  title: string;
  levels: readonly (readonly Box[])[];
  links: readonly (readonly Link[])[];
  /** Ports where the path could continue, and how many more there are. */
  ways: readonly Port[];
  moreWays: number;
  outcome: Outcome;
  /** Lines below it: how it ends, and how long it is. */
  summary: readonly [string, string];
}
