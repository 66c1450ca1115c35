import type { Effect } from '@cadastre/model';

/**
 * Ends of cables are where the thing is that they are plugged into, so they move with it. `held` is the field of an end that points
 * at what moves, `places` its other fields of places and those of what moves that they are.
 */
export const endsComeAlong = (held: '_device' | '_rack', places: Readonly<Record<string, string>>): Effect => async (changes, { find, derive }) => {
  const moved = new Map(changes.filter((c) => c.action === 'updated' && Object.values(places).some((name) => c.before![name] !== c.after![name])).map((c) => [c.after!['id']!, c.after!]));
  if (!moved.size) return;
  const ends = await find('dcim.cabletermination', { [held]: [...moved.keys()] });
  await derive('dcim.cabletermination', ends.map((end) => ({ id: end['id']!, ...Object.fromEntries(Object.entries(places).map(([field, name]) => [field, moved.get(end[held]!)![name] ?? null])) })));
};
