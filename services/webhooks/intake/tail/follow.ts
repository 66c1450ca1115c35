import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Changes } from './changes.ts';
import { eventText, heartbeat, placeText, retryText } from './events.ts';
import type { TailSlot } from './slots.ts';

export interface FollowOptions {
  pool: Pool;
  /** Given up when the stream ends. */
  place: TailSlot;
  /** How long nothing is sent at most. */
  heartbeatMs: number;
  /** After so long the client has to come again, and to prove itself again. */
  maxSeconds: number;
  /** JSON texts of those deliveries that may be told. */
  shown(ids: string[]): Promise<string[]>;
}

const lookMs = 500;
const retryMs = 2_000;

/** What one listener is sent, from now on or from a place on. */
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
        // Who was told of everything so far goes on from here.
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
