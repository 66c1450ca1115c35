import type { Listed, Pages } from '../lists.ts';
import type { Key } from './known.ts';

/** An object as both sides have it; one of them is missing where a side lacks it. */
export type Pair = [Listed, Listed] | [Listed, undefined] | [undefined, Listed];

/**
 * Pairs objects with the same key, which is the id unless specified otherwise. Both sides are read in step; an object
 * waits for its counterpart, so no more objects are held than the orders of the two sides differ by.
 */
export async function* pairsOf(
  left: Pages,
  right: Pages,
  keyOf: (object: Listed) => Key = ({ id }) => id,
): AsyncGenerator<Pair, void> {
  const waiting = [new Map<Key, Listed>(), new Map<Key, Listed>()] as const;
  const sides = [left, right] as const;
  const open = new Set<0 | 1>([0, 1]);
  while (open.size) {
    const pages = await Promise.all([...open].map(async (side) => ({ side, page: await sides[side].next() })));
    for (const { side, page } of pages) {
      if (page.done) open.delete(side);
      else for (const object of page.value) yield* met(waiting, side, object, keyOf(object));
    }
  }
  for (const object of waiting[0].values()) yield [object, undefined];
  for (const object of waiting[1].values()) yield [undefined, object];
}

function* met(
  waiting: readonly [Map<Key, Listed>, Map<Key, Listed>],
  side: 0 | 1,
  object: Listed,
  key: Key,
): Generator<Pair> {
  const others = waiting[side === 0 ? 1 : 0];
  const other = others.get(key);
  if (!other) {
    waiting[side].set(key, object);
    return;
  }
  others.delete(key);
  yield side === 0 ? [object, other] : [other, object];
}
