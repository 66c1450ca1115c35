import pMap from 'p-map';
import { isAction, type Pages } from '../lists.ts';
import { Unreadable } from '../reader.ts';
import { knownBy } from './known.ts';
import { pairsOf } from './pairs.ts';
import type { Side } from './side.ts';
import { count, ignoring, newTally, type Tally } from './tally.ts';

export interface Comparison {
  left: Side;
  right: Side;
  /** Apps or lists to which the comparison is limited, such as `dcim` or `ipam/prefixes`; none for everything. */
  only: readonly string[];
  /** Fields that are left out, see `ignoring`. */
  ignore: readonly string[];
  /** How many lists are read at the same time. */
  parallel: number;
  /** Called with the progress: the list that is compared now, and how many objects there are and have been read. */
  progress(at: { list: string; done: number; total: number }): void;
}

/**
 * Compares all lists of two installations, each object field by field. A list that one side does not know counts as
 * empty there; a list whose objects belong to another list is an alias of that list.
 * @throws Unreadable when one side does not answer at all
 */
export async function compare({ left, right, only, ignore, parallel, progress }: Comparison): Promise<Tally[]> {
  const sides = await Promise.all([left, right].map(async (side) => ({ side, lists: new Set(await side.lists()) })));
  const asked = [...new Set(sides.flatMap(({ lists }) => [...lists]))].toSorted().filter((list) => isAsked(list, only));
  const knowing = (list: string): (Side | undefined)[] =>
    sides.map(({ side, lists }) => (lists.has(list) ? side : undefined));
  const sizes = await pMap(asked, async (list) => ({ list, size: await sizeOf(knowing(list), list, new Set(asked)) }), {
    concurrency: parallel,
  });
  // Rows without ids are not objects: queues, workers.
  const lists = sizes.flatMap(({ list, size }) => (size === undefined ? [] : [{ list, size }]));
  const total = lists.reduce((sum, { size }) => sum + (typeof size === 'number' ? size : 0), 0);
  let done = 0;
  return pMap(
    lists,
    async ({ list, size }) => {
      const tally = newTally(list);
      if (typeof size !== 'number') return { ...tally, problem: size.message };
      const { keyOf, own } = knownBy(list);
      const ignored = ignoring([...ignore, ...own], list);
      const [theirs, ours] = knowing(list).map((side) => (side ? side.pages(list) : nothing()));
      try {
        for await (const pair of pairsOf(theirs!, ours!, keyOf)) {
          count(tally, pair, ignored, keyOf);
          progress({ list, done: (done += 1), total });
        }
        return tally;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        return { ...tally, problem: error.message };
      }
    },
    { concurrency: parallel },
  );
}

/** Pages of a list that does not exist. */
async function* nothing(): Pages {}

const isAsked = (list: string, only: readonly string[]): boolean =>
  only.length === 0 || only.some((word) => list.startsWith(`/api/${word}/`));

/**
 * The larger of both sizes; undefined where neither side has objects with ids, or where the list is an alias of another
 * one that is compared; the reason where a side does not tell. An address that both sides refuse is an action, which
 * needs parameters (`connected-device`), not a list; so is one that only one side knows and refuses.
 */
async function sizeOf(
  sides: readonly (Side | undefined)[],
  list: string,
  asked: ReadonlySet<string>,
): Promise<number | undefined | Unreadable> {
  try {
    const answers = await Promise.allSettled(sides.flatMap((side) => side?.head(list) ?? []));
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
    if (refusals.length && refusals.length === answers.length && refusals.every(isAction)) return undefined;
    if (refusals.length) throw refusals[0]!;
    const heads = answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value ?? []) : []));
    const homes = heads.flatMap(({ home }) => home ?? []);
    if (!heads.length || (homes.length && homes.every((home) => home !== list && asked.has(home)))) return undefined;
    return Math.max(...heads.map(({ count }) => count));
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
}
