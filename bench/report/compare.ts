import { columns, type Measured, shown, verdict } from './report.ts';

/** The results of the benchmark's parts in one form of the system. */
export interface Run {
  form: string;
  parts: Map<string, Measured[]>;
  /** Folder of the version that was measured, when it is not this one. */
  checkout?: string | undefined;
}

/** How many times as good one value is as another; undefined where the ratio has no meaning. */
export function timesAsGood(value: number, other: number, better: Measured['better']): number | undefined {
  const ratio = better === 'more' ? value / other : other / value;
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined;
}

/** Both runs beside each other, and how many times as good the first is as the second. */
export function comparison(first: Run, second: Run): string {
  const rows = [...first.parts].flatMap(([part, lines]) => [
    [part],
    ...lines.map((line) =>
      compared(
        line,
        (second.parts.get(part) ?? []).find(({ what }) => what === line.what),
        second.form,
      ),
    ),
  ]);
  return columns([['', first.form, second.form, 'times as good'], ...rows]);
}

function compared(line: Measured, other: Measured | undefined, form: string): string[] {
  const cells = [`  ${line.what}`, shown(line), other ? shown(other) : '-'];
  const times = other && timesAsGood(line.value, other.value, line.better);
  if (times === undefined) return [...cells, '-'];
  // Targets apply to the form with a process for each service; other forms are shown for information.
  const wanted = form === 'each' ? line.against : undefined;
  return [...cells, times.toFixed(2), ...(wanted === undefined ? [] : [verdict(times, wanted, 'more')])];
}
