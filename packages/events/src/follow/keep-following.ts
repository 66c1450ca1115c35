import { backoff, pause } from '../waiting/backoff.ts';
import { report } from '../log/deliver.ts';
import { follow, type FollowOptions } from './follow.ts';
import type { Consumer } from '../log/log.ts';

/**
 * Follows in the background, from whenever the log lets it. A service can serve without the log, so it waits for no
 * broker that is away, and not for a group to notice that the process before it has died.
 */
export function keepFollowing(options: FollowOptions): Consumer {
  const stopping = new AbortController();
  const state: { consumer?: Consumer } = {};
  const join = async (): Promise<void> => {
    for (let failures = 1; !stopping.signal.aborted; failures += 1) {
      try {
        state.consumer = await follow(options);
        // Told to stop while joining, when there was nothing to stop yet.
        if (stopping.signal.aborted) await state.consumer.stop();
        return;
      } catch (error) {
        if (!stopping.signal.aborted) report(options, error, { group: options.group, stage: 'log', attempt: failures });
      }
      await pause(backoff(failures, 500, 10_000), stopping.signal);
    }
  };
  // Stopping a consumer that has only just joined may fail, and then nobody is left to be told.
  join().catch(() => {});
  return {
    async stop() {
      stopping.abort();
      await state.consumer?.stop();
    },
  };
}
