import type { Json } from '../json.ts';
import { isEqual, type Tally } from './tally.ts';

/** How many characters of a value are shown in a line at most. */
const WIDTH = 60;

/** The comparison as text for people: a line for each list, then the differences. */
export function reportOf(tallies: readonly Tally[], [left, right]: readonly [string, string]): string {
  const wrong = tallies.filter((one) => !isEqual(one));
  const compared = tallies.reduce((sum, { same, different }) => sum + same + different, 0);
  return [
    table(tallies),
    ...wrong.map((one) => detailsOf(one, [left, right])),
    wrong.length
      ? `${wrong.length} of ${tallies.length} lists differ; ${compared} objects were compared.`
      : `Both have the same: ${compared} objects in ${tallies.length} lists.`,
  ].join('\n\n');
}

function table(tallies: readonly Tally[]): string {
  const head = ['list', 'same', 'different', 'only there', 'only here', ''];
  const rows = tallies
    .filter((one) => one.same > 0 || !isEqual(one))
    .map(({ list, same, different, onlyLeft, onlyRight, problem }) => [
      list,
      String(same),
      String(different),
      String(onlyLeft.count),
      String(onlyRight.count),
      problem === undefined ? '' : 'not compared',
    ]);
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => (i === 0 || i === 5 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function detailsOf(tally: Tally, [left, right]: readonly [string, string]): string {
  const { list, onlyLeft, onlyRight, fields, problem } = tally;
  return [
    list,
    ...(problem === undefined ? [] : [`  not compared: ${problem}`]),
    ...missing(`only at ${left}`, onlyLeft),
    ...missing(`only at ${right}`, onlyRight),
    ...[...fields]
      .toSorted(([, a], [, b]) => b.count - a.count)
      .flatMap(([field, { count, examples }]) => [
        `  ${field}: ${count}`,
        ...examples
          .slice(0, 3)
          .map(
            ({ id, display, left: theirs, right: ours }) => `    ${id} ${display}: ${short(theirs)} → ${short(ours)}`,
          ),
      ]),
  ].join('\n');
}

const missing = (where: string, { count, ids }: Tally['onlyLeft']): string[] =>
  count ? [`  ${where}: ${count} (ids ${ids.join(', ')}${count > ids.length ? ', …' : ''})`] : [];

function short(value: Json | undefined): string {
  const text = value === undefined ? 'not there' : JSON.stringify(value);
  return text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text;
}

/** The same as JSON, for programs. */
export const reportJson = (tallies: readonly Tally[]): string =>
  `${JSON.stringify(
    tallies.map(({ fields, ...tally }) => ({ ...tally, fields: Object.fromEntries(fields) })),
    null,
    1,
  )}\n`;
