import type { Effect } from '@cadastre/model';
import { FRONT_PORT, REAR_PORT } from '../plant.ts';
import { retraceOrRefuse } from '../refusing.ts';
import { retrace } from '../retrace.ts';

/** Paths through ports follow the port mappings. */
export const retraceMappings: Effect = async (changes, context) => {
  const rows = changes.flatMap((c) => [c.before, c.after].filter((row) => row !== null));
  await retraceOrRefuse(
    rows.flatMap((row) => [
      { type: FRONT_PORT, id: Number(row['front_port']) },
      { type: REAR_PORT, id: Number(row['rear_port']) },
    ]),
    changes,
    context,
  );
};

/**
 * A path continues by itself behind a port with one position; behind one with several, it continues at the position at
 * which it entered.
 */
export const retraceResized =
  (type: string): Effect =>
  async (changes, context) => {
    const resized = changes.filter((c) => c.action === 'updated' && c.before!['positions'] !== c.after!['positions']);
    await retrace(
      resized.map((c) => ({ type, id: Number(c.after!['id']) })),
      context,
    );
  };
