import type { Figure } from './figures.ts';
import type { ProcessMemory } from '../machine/memory.ts';

/** One line of the report. */
export interface Measured {
  what: string;
  value: number;
  unit: string;
  /** Whether more is better, as for a rate, or less, as for time and memory. */
  better: 'more' | 'less';
  /** The minimum where more is better, else the maximum. */
  target?: number | undefined;
  /** The target for the ratio to the form with a process for each service. */
  against?: number | undefined;
  /** A comparable measurement, of which the value is shown as a share. */
  beside?: Beside | undefined;
  /** Further information, a column each. */
  notes: string[];
}

/** Values count as equally good when they differ no more than repeated runs of the same thing. */
export const AS_GOOD = 0.95;

export const number = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 1 ? 3 : value < 100 ? 1 : 0 });

/** A comparable measurement (the floor or another page), and the share of it that is to be reached. */
export interface Beside {
  perSecond: number;
  name: string;
  wanted?: number;
}

export interface RateOptions {
  target?: number;
  against?: number;
  unit?: string;
  /** How many units one request counts for. */
  times?: number;
  beside?: Beside;
}

/** A line about requests that were sent one after the other. */
export function rate(what: string, figure: Figure, options: RateOptions = {}): Measured {
  const { target, against, unit = 'requests', times = 1, beside } = options;
  return {
    what,
    value: figure.perSecond * times,
    unit: `${unit}/s`,
    better: 'more',
    target,
    against,
    beside,
    notes: [
      `p50 ${number(figure.p50)} ms`,
      `p99 ${number(figure.p99)} ms`,
      figure.failed ? `${figure.failed} FAILED` : '',
    ],
  };
}

function besideNote(value: number, { perSecond: other, name, wanted }: Beside): string {
  const share = value / other;
  const met = wanted === undefined ? '' : `, ${verdict(share, wanted, 'more')}`;
  return `${share.toFixed(2)} of ${name} (${number(other)}/s)${met}`;
}

/** A line about an amount of which less is better. */
export const amount = (
  what: string,
  value: number,
  unit: string,
  options: { target?: number; against?: number; notes?: string[] } = {},
): Measured => ({ what, value, unit, better: 'less', notes: [], ...options });

/** Whether a target was met, and if not, by how much it was missed. */
export function verdict(value: number, target: number, better: Measured['better']): string {
  const met = better === 'more' ? value >= target : value <= target;
  const off = Math.abs(value / target - 1) * 100;
  return `target ${number(target)} ${met ? 'met' : `missed by ${off < 1 ? off.toFixed(1) : off.toFixed(0)} %`}`;
}

/** The value of a line as it is printed. */
export const shown = ({ value, unit }: Measured): string => `${number(value)} ${unit}`;

/** The lines as a table. */
export const table = (lines: readonly Measured[]): string =>
  columns(
    lines.map((line) => [
      line.what,
      shown(line),
      line.target === undefined ? '' : verdict(line.value, line.target, line.better),
      line.beside === undefined ? '' : besideNote(line.value, line.beside),
      ...line.notes,
    ]),
  );

/** Rows of cells, each column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((all, row) => {
    for (const [i, cell] of row.entries()) all[i] = Math.max(all[i] ?? 0, cell.length);
    return all;
  }, []);
  const line = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

export function memoryTable(processes: readonly ProcessMemory[]): string {
  const total = (key: 'pss' | 'rss') => processes.reduce((sum, process) => sum + process[key], 0);
  const megabytes = (value: number) => `${Math.round(value)} MB`.padStart(9);
  return columns(
    [...processes, { name: 'all', pss: total('pss'), rss: total('rss') }].map(({ name, pss, rss }) => [
      name,
      `PSS ${megabytes(pss)}`,
      `RSS ${megabytes(rss)}`,
    ]),
  );
}
