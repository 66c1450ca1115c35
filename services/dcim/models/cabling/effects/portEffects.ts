import type { Effect } from '@cadastre/model';
import { FRONT_PORT, REAR_PORT } from '../plant.ts';
import { retraceOrRefuse } from '../refusing.ts';
import { retrace } from '../retrace.ts';

/** Paths lead through ports as these are mapped. */
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

/** A port with one position leads on by itself; one with several leads on at the position at which the path entered. */
export const retraceResized =
  (type: string): Effect =>
  async (changes, context) => {
    const resized = changes.filter((c) => c.action === 'updated' && c.before!['positions'] !== c.after!['positions']);
    await retrace(
      resized.map((c) => ({ type, id: Number(c.after!['id']) })),
      context,
    );
  };
