import type { Effect, Values } from '@cadastre/model';
import { inConnectors } from '../connectors.ts';
import { CABLE, type Side } from '../plant.ts';
import { retrace } from '../retrace.ts';

/** With another profile, the ends of a cable have other connectors. */
export const reassign: Effect = async (changes, { find, update }) => {
  const changed = changes.filter((c) => c.action === 'updated' && c.before!['profile'] !== c.after!['profile']);
  if (!changed.length) return;
  const profiles = new Map(changed.map((c) => [c.after!['id']!, c.after!['profile']!]));
  const ends = (await find('dcim.cabletermination', { cable: [...profiles.keys()] })).sort(
    (a, b) => Number(a['connector']) - Number(b['connector']) || Number(a['id']) - Number(b['id']),
  );
  const wanted: Values[] = [];
  for (const [cable, profile] of profiles) {
    for (const side of ['A', 'B'] as const satisfies Side[])
      wanted.push(
        ...inConnectors(
          ends.filter((end) => end['cable'] === cable && end['cable_end'] === side),
          profile,
          side,
        ),
      );
  }
  await update(
    'dcim.cabletermination',
    wanted.map(({ id, connector, positions }) => ({ id: id!, connector: connector!, positions: positions! })),
  );
};

/** A cable that is not in use makes no active path. */
export const retraceCables: Effect = async (changes, context) => {
  const changed = changes.filter((c) => c.action === 'updated' && c.before!['status'] !== c.after!['status']);
  await retrace(
    changed.map((c) => ({ type: CABLE, id: Number(c.after!['id']) })),
    context,
  );
};
