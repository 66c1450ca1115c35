import type { Messages } from '../target.ts';

/** What the report counts: `refused` and `missing` objects, `lost` values, `noted` ones, deletions that `stayed`. */
export const KINDS = ['missing', 'refused', 'lost', 'noted', 'stayed'] as const;
export type Kind = (typeof KINDS)[number];

/** An object that the report mentions. */
export interface Case {
  id: number;
  display?: string;
  /** The report about it: field and message. */
  told: string;
}

/** The result for a type. */
export interface Tally {
  /** `<app>.<model>`, or the path of a type that is not known here. */
  type: string;
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  told: Record<Kind, { count: number; cases: Case[] }>;
}

/** How many cases of a kind are kept for each type. */
export const KEPT = 100;

export const newTally = (type: string): Tally => ({
  type,
  read: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  told: {
    missing: { count: 0, cases: [] },
    refused: { count: 0, cases: [] },
    lost: { count: 0, cases: [] },
    noted: { count: 0, cases: [] },
    stayed: { count: 0, cases: [] },
  },
});

export function tell(tally: Tally, kind: Kind, one: Case): void {
  const { cases } = tally.told[kind];
  tally.told[kind].count += 1;
  if (cases.length < KEPT) cases.push(one);
}

/** Messages by field as one line. */
export const inWords = (messages: Messages | undefined): string =>
  Object.entries(messages ?? {})
    .map(([field, said]) => `${field}: ${Array.isArray(said) ? said.join(' ') : JSON.stringify(said)}`)
    .join('; ');

/** Whether the target has everything that the source has. */
export const isWhole = ({ told }: Tally): boolean =>
  (['missing', 'refused', 'lost', 'stayed'] as const).every((kind) => told[kind].count === 0);
