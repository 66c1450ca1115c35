import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Changes } from './changes.ts';
import { eventText, heartbeat, placeText, retryText } from './events.ts';
import type { TailSlot } from './slots.ts';

export interface FollowOptions {
  pool: Pool;
  /** The place that is given up when the stream ends. */
  place: TailSlot;
  /** The longest time without sending anything. */
  heartbeatMs: number;
  /** After this time the client has to reconnect, and so to authenticate again. */
  maxSeconds: number;
  /** JSON texts of those deliveries that the client may see. */
  shown(ids: string[]): Promise<string[]>;
}

const lookMs = 500;
const retryMs = 2_000;

/** The stream of one client, from now on or from a given position. */
export const follow = ({ pool, place, heartbeatMs, maxSeconds, shown }: FollowOptions, from: string | undefined) =>
  async function* events(over: AbortSignal): AsyncGenerator<string> {
    const ended = AbortSignal.any([over, place.ended]);
    try {
      const changes = await Changes.from(pool, from);
      const until = Date.now() + maxSeconds * 1_000;
      let quiet = Date.now();
      yield retryText(retryMs);
      while (!ended.aborted && Date.now() < until) {
        const before = changes.place;
        let told = false;
        for await (const portion of changes.look()) {
          for (const json of await shown(portion.map(({ id }) => id))) {
            yield eventText('delivery', before, json);
            told = true;
          }
        }
        // A client that has received everything so far resumes from here.
        if (told || Date.now() - quiet >= heartbeatMs) {
          yield placeText(changes.place) + heartbeat;
          quiet = Date.now();
        }
        await sleep(Math.min(lookMs, heartbeatMs), undefined, { signal: ended }).catch(() => undefined);
      }
    } finally {
      place.leave();
    }
  };
