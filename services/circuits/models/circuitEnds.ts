import type { Effect, Json, Values } from '@cadastre/model';

const end = (terminations: Values[], circuit: Json, side: string): Json =>
  terminations.find((t) => t['circuit'] === circuit && t['term_side'] === side)?.['id'] ?? null;

/** A circuit knows its two ends. */
export const keepEnds: Effect = async (changes, { find, derive }) => {
  const moved = changes.filter(
    ({ before, after }) => before?.['circuit'] !== after?.['circuit'] || before?.['term_side'] !== after?.['term_side'],
  );
  const ids = [
    ...new Set(
      moved.flatMap(({ before, after }) => [before?.['circuit'], after?.['circuit']]).filter((id) => id !== undefined),
    ),
  ] as Json[];
  if (!ids.length) return;
  const [circuits, terminations] = [
    await find('circuits.circuit', { id: ids }),
    await find('circuits.circuittermination', { circuit: ids }),
  ];
  const ends = circuits.map(
    (circuit): Values => ({
      id: circuit['id']!,
      termination_a: end(terminations, circuit['id']!, 'A'),
      termination_z: end(terminations, circuit['id']!, 'Z'),
    }),
  );
  await derive(
    'circuits.circuit',
    ends.filter(
      (now, i) =>
        now['termination_a'] !== circuits[i]!['termination_a'] ||
        now['termination_z'] !== circuits[i]!['termination_z'],
    ),
  );
};
