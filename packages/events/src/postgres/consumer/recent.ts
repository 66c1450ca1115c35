import { relevantKeys, type KeyAhead, isIrrelevantTo } from '../../log/relevance.ts';
import { type ConsumeOptions, kindOf } from '../../log/log.ts';
import type { Place, Topic } from './group.ts';
import { type Batch, messagesOf } from './read.ts';
import type { Tail, TailRow } from './tail.ts';
import { reached } from './wanted.ts';

/** The messages ahead of a group in one partition. */
export interface Stretch extends Place {
  rows: readonly TailRow[];
}

export interface RecentOptions extends Pick<ConsumeOptions, 'wants' | 'relevance'> {
  topics: readonly Topic[];
  limit: number;
  maxBytes: number;
}

/**
 * A batch of the messages ahead at the end of the log, like that of `readWanted`. Undefined if some of them have been
 * deleted.
 */
export async function readRecent(
  tail: Pick<Tail, 'contents'>,
  stretches: readonly Stretch[],
  { wants, relevance, topics, limit, maxBytes }: RecentOptions,
): Promise<Batch | undefined> {
  const ahead = stretches.flatMap(({ rows }) => rows);
  const is = ahead.length > 0 && wants ? await wants() : () => true;
  const matching = ahead.filter(({ key }) => is(kindOf(key)));
  const wanted = wants && relevance ? await withoutIrrelevant(matching, relevance) : matching;
  const chosen = fitting(wanted, limit, maxBytes);
  const whole = chosen.length === wanted.length;
  const found = chosen.length > 0 ? await tail.contents(chosen) : [];
  if (!found) return undefined;
  const rows = chosen.map((row, i) => ({ ...row, ...found[i]!, position: String(row.position) }));
  const places = stretches.map(({ topicId, partition, rows: all }) => ({
    topicId,
    partition,
    upto: String(all.at(-1)!.position),
  }));
  return {
    messages: messagesOf(topics, rows),
    read: reached(places, rows, whole),
    looked: ahead.length,
    full: !whole,
  };
}

/** As many as a batch may hold; the first is always included, however large it is. */
export function fitting(rows: readonly TailRow[], limit: number, maxBytes: number): readonly TailRow[] {
  let bytes = 0;
  const end = rows.slice(0, limit).findIndex(({ size }) => {
    const full = bytes >= maxBytes;
    bytes += size;
    return full;
  });
  return rows.slice(0, end < 0 ? limit : end);
}

async function withoutIrrelevant(
  rows: readonly TailRow[],
  relevance: NonNullable<ConsumeOptions['relevance']>,
): Promise<readonly TailRow[]> {
  const isIrrelevant = (row: TailRow): boolean => isIrrelevantTo(row.aside ?? undefined, relevance.names);
  const ahead = [...Map.groupBy(rows, ({ key }) => key)].map(([key, same]): KeyAhead => {
    const count = same.filter(isIrrelevant).length;
    return { key, irrelevant: count, delivered: count < same.length };
  });
  const doubtful = ahead.filter((one) => one.irrelevant > 0);
  if (doubtful.length === 0) return rows;
  const relevant = await relevantKeys(relevance, doubtful);
  return rows.filter((row) => !isIrrelevant(row) || relevant.has(row.key));
}
