import { choices } from '@cadastre/model';
import type { Side } from './plant.ts';

/** How the connectors and positions of a cable's two sides are connected. */
export interface CableProfile {
  /** Positions of each connector of a side, by side; connectors count from 1. */
  connectors: Record<Side, readonly number[]>;
  /** The connector and position at the other side. */
  across(side: Side, connector: number, position: number): [connector: number, position: number];
}

const times = <T>(n: number, value: T): T[] => Array.from({ length: n }, () => value);

/** Both sides are the same: every position leads to the same position of the same connector. */
const straight = (connectors: number, positions: number): CableProfile => ({
  connectors: { A: times(connectors, positions), B: times(connectors, positions) },
  across: (_, connector, position) => [connector, position],
});

/** A profile from a table of where the positions of side A's connectors lead. */
function wired(
  table: readonly (readonly [connector: number, position: number][])[],
  far: readonly number[],
): CableProfile {
  const back = new Map(
    table.flatMap((row, c) =>
      row.map(([connector, position], p): [string, [number, number]] => [`${connector}:${position}`, [c + 1, p + 1]]),
    ),
  );
  return {
    connectors: { A: table.map((row) => row.length), B: far },
    across: (side, connector, position) =>
      (side === 'A' ? table[connector - 1]?.[position - 1] : back.get(`${connector}:${position}`)) ?? [0, 0],
  };
}

/** One connector, each of whose positions leads to a connector of its own. */
const breakout = (positions: number): CableProfile =>
  wired([Array.from({ length: positions }, (_, i): [number, number] => [i + 1, 1])], times(positions, 1));

const SHUFFLE_2X4 = wired(
  [
    [
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ],
    [
      [1, 3],
      [1, 4],
      [2, 3],
      [2, 4],
    ],
  ],
  [4, 4],
);
const SHUFFLE_4X4 = wired(
  [1, 2, 3, 4].map((connector) => [1, 2, 3, 4].map((position): [number, number] => [position, connector])),
  [4, 4, 4, 4],
);
const SHUFFLE_2X4_8 = wired(
  [
    [
      [1, 1],
      [2, 1],
      [5, 1],
      [6, 1],
    ],
    [
      [3, 1],
      [4, 1],
      [7, 1],
      [8, 1],
    ],
  ],
  times(8, 1),
);

const PROFILES: [value: string, label: string, profile: CableProfile][] = [
  ...[1, 2, 4, 6, 8, 12, 16].map((p): [string, string, CableProfile] => [`single-1c${p}p`, `1C${p}P`, straight(1, p)]),
  ...[1, 2, 4].map((p): [string, string, CableProfile] => [`trunk-2c${p}p`, `2C${p}P trunk`, straight(2, p)]),
  ['trunk-2c4p-shuffle', '2C4P trunk (shuffle)', SHUFFLE_2X4],
  ...[6, 8, 12].map((p): [string, string, CableProfile] => [`trunk-2c${p}p`, `2C${p}P trunk`, straight(2, p)]),
  ...[1, 2, 4].map((p): [string, string, CableProfile] => [`trunk-4c${p}p`, `4C${p}P trunk`, straight(4, p)]),
  ['trunk-4c4p-shuffle', '4C4P trunk (shuffle)', SHUFFLE_4X4],
  ...[6, 8].map((p): [string, string, CableProfile] => [`trunk-4c${p}p`, `4C${p}P trunk`, straight(4, p)]),
  ['trunk-8c4p', '8C4P trunk', straight(8, 4)],
  ...[2, 4, 6, 8].map((p): [string, string, CableProfile] => [
    `breakout-1c${p}p-${p}c1p`,
    `1C${p}P:${p}C1P breakout`,
    breakout(p),
  ]),
  ['breakout-2c4p-8c1p-shuffle', '2C4P:8C1P breakout (shuffle)', SHUFFLE_2X4_8],
];

export const cableProfile = choices(PROFILES.map(([value, label]) => [value, label]));

const byName = new Map(PROFILES.map(([value, , profile]) => [value, profile]));

/** The profile of a name; none for the empty name. */
export const profileOf = (name: unknown): CableProfile | undefined => byName.get(String(name ?? ''));

/** The positions of a connector, from 1 on. */
export const positionsOf = (profile: CableProfile, side: Side, connector: number): number[] =>
  Array.from({ length: profile.connectors[side][connector - 1] ?? 0 }, (_, i) => i + 1);
