import type { Conflict } from '../run/preflight.ts';
import { isWhole, KINDS, type Kind, type Tally } from './tally.ts';

/** The heading in the report for each kind of cases. */
const SAYS: Readonly<Record<Kind, string>> = {
  missing: 'cannot come along',
  refused: 'refused by the target',
  lost: 'values that did not come along',
  noted: 'values that rules of the target refuse, stored as they are',
  stayed: 'gone at the source, but not deleted here',
};

interface Told {
  /** A dry run: nothing was written. */
  dryRun: boolean;
  /** Names of both sides. */
  from: string;
  to: string;
}

/** The outcome of an import as text for people: a line for each type, then the cases. */
export function reportOf(tallies: readonly Tally[], { dryRun, from, to }: Told): string {
  const there = tallies.filter((one) => one.read > 0 || one.deleted > 0 || cases(one) > 0);
  return [table(there), ...there.flatMap(detailsOf), summary(there, dryRun, from, to)].join('\n\n');
}

const cases = ({ told }: Tally): number => KINDS.reduce((sum, kind) => sum + told[kind].count, 0);
const sum = (tallies: readonly Tally[], of: (tally: Tally) => number): number =>
  tallies.reduce((total, tally) => total + of(tally), 0);

function table(tallies: readonly Tally[]): string {
  const head = ['type', 'read', 'new', 'changed', 'same', 'deleted', ...KINDS];
  const rows = tallies.map(({ type, read, created, updated, unchanged, deleted, told }) =>
    [type, read, created, updated, unchanged, deleted, ...KINDS.map((kind) => told[kind].count || '')].map(String),
  );
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const detailsOf = ({ type, told }: Tally): string[] =>
  KINDS.filter((kind) => told[kind].count > 0).map((kind) => {
    const { count, cases: shown } = told[kind];
    return [
      `${type}: ${count} ${SAYS[kind]}`,
      ...shown.map(({ id, display, told: why }) => `  ${id}${display ? ` ${display}` : ''}: ${why}`),
      ...(count > shown.length ? [`  and ${count - shown.length} more`] : []),
    ].join('\n');
  });

function summary(tallies: readonly Tally[], dryRun: boolean, from: string, to: string): string {
  const changes = sum(tallies, ({ created, updated, deleted }) => created + updated + deleted);
  const read = sum(tallies, ({ read: one }) => one);
  const missing = sum(tallies, ({ told }) => told.missing.count + told.refused.count);
  const lost = sum(tallies, ({ told }) => told.lost.count);
  const parts = [
    `${read} objects of ${from} were ${dryRun ? 'tried at' : 'read for'} ${to}.`,
    changes === 0
      ? 'Nothing changed: everything was there already.'
      : `${count(tallies, 'created')} ${dryRun ? 'would be' : 'are'} new, ${count(tallies, 'updated')} changed, ${count(tallies, 'deleted')} deleted.`,
    ...(missing ? [`${missing} objects are missing.`] : []),
    ...(lost ? [`${lost} values are missing.`] : []),
    ...(tallies.every(isWhole) ? ['Nothing is missing.'] : []),
  ];
  return parts.join(' ');
}

const count = (tallies: readonly Tally[], what: 'created' | 'updated' | 'deleted'): number =>
  sum(tallies, (tally) => tally[what]);

/** How many conflicts are shown. */
const SHOWN = 100;

/** The conflicts that kept an import from beginning. */
export function conflictsReport(conflicts: readonly Conflict[], to: string): string {
  return [
    `Nothing was changed: ${to} has other objects at ${conflicts.length} of the ids that the source has.`,
    ...conflicts.slice(0, SHOWN).map(({ type, id, display, why }) => `  ${type} ${id} ${display}: ${why}`),
    ...(conflicts.length > SHOWN ? [`  and ${conflicts.length - SHOWN} more`] : []),
    'Import into a system that has no such objects, delete them, or give --map-ids: then these objects get other ids.',
  ].join('\n');
}

/** The same as JSON, for programs. */
export const reportJson = (tallies: readonly Tally[], conflicts: readonly Conflict[]): string =>
  `${JSON.stringify({ types: tallies, conflicts }, null, 1)}\n`;
