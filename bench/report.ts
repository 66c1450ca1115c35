import type { Line } from './figures.ts';
import type { ProcessMemory } from './memory.ts';

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });

/** The lines as a table; a target that was missed says by how much. */
export function table(lines: Line[]): string {
  const rows = lines.map(({ what, figure, floor, target, unit = 'requests', times = 1 }) => {
    const perSecond = figure.perSecond * times;
    const verdict =
      target === undefined
        ? ''
        : perSecond >= target
          ? `target ${number(target)} met`
          : `target ${number(target)} missed by ${Math.round((1 - perSecond / target) * 100)} %`;
    return [
      what,
      `${number(perSecond)} ${unit}/s`,
      `p50 ${number(figure.p50)} ms`,
      `p99 ${number(figure.p99)} ms`,
      floor === undefined ? '' : `${(figure.perSecond / floor).toFixed(2)} of the floor (${number(floor)}/s)`,
      verdict,
      figure.failed ? `${figure.failed} FAILED` : '',
    ];
  });
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((r) => r[i]!.length)));
  return rows
    .map((r) =>
      r
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function memoryTable(processes: ProcessMemory[]): string {
  const total = (key: 'pss' | 'rss') => processes.reduce((sum, p) => sum + p[key], 0);
  return [...processes, { name: 'all', pss: total('pss'), rss: total('rss') }]
    .map((p) => `${p.name.padEnd(12)} PSS ${number(p.pss).padStart(6)} MB  RSS ${number(p.rss).padStart(6)} MB`)
    .join('\n');
}
