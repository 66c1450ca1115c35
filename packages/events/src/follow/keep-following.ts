import { backoff, pause } from '../waiting/backoff.ts';
import { report } from '../log/deliver.ts';
import { follow, type FollowOptions } from './follow.ts';
import type { Consumer } from '../log/log.ts';

/**
 * Follows in the background and joins as soon as the log is available. A service can serve without the log, so its
 * start waits neither for an unreachable broker nor for the group to notice that the previous process has died.
 */
export function keepFollowing(options: FollowOptions): Consumer {
  const stopping = new AbortController();
  const state: { consumer?: Consumer } = {};
  const join = async (): Promise<void> => {
    for (let failures = 1; !stopping.signal.aborted; failures += 1) {
      try {
        state.consumer = await follow(options);
        // `stop()` was called while joining, when there was no consumer to stop yet.
        if (stopping.signal.aborted) await state.consumer.stop();
        return;
      } catch (error) {
        if (!stopping.signal.aborted) report(options, error, { group: options.group, stage: 'log', attempt: failures });
      }
      await pause(backoff(failures, 500, 10_000), stopping.signal);
    }
  };
  // Stopping a consumer that has only just joined may fail, and by then no caller is left to hear of it.
  join().catch(() => {});
  return {
    async stop() {
      stopping.abort();
      await state.consumer?.stop();
    },
  };
}
