import type pg from 'pg';
import { consumption, type FollowOptions } from './follow.ts';
import { keepFollowing } from './keep-following.ts';
import type { ConsumeOptions, Consumer, EventLog } from '../log/log.ts';
import { parkIn } from './park.ts';
import { type Replay, replayParked } from './parked.ts';

/**
 * What a service follows: each of its followers parks messages that it cannot handle in the service's database, and
 * handles them again on request.
 */
export interface Followers {
  follow(options: Omit<FollowOptions, 'log' | 'park'>): Consumer;
  replay(id: number): Promise<Replay>;
}

/**
 * The followers of one process. Every process of a service follows alike, so any of them can replay what another has
 * parked.
 */
export function createFollowers(log: EventLog, pool: pg.Pool): Followers {
  const groups = new Map<string, Pick<ConsumeOptions, 'wants' | 'handler'>>();
  return {
    follow(options) {
      groups.set(options.group, consumption(options));
      return keepFollowing({ ...options, log, park: parkIn(pool, options.group) });
    },
    replay: (id) => replayParked(pool, id, (group) => groups.get(group)),
  };
}
