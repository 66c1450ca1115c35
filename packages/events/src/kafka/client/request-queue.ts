import { createRequire } from 'node:module';

interface Queue {
  pending: unknown[];
  scheduleCheckPendingRequests(): void;
}

let done = false;

/**
 * kafkajs 2.2.4 checks the queue of every connection each millisecond for ever, by a timer with a negative delay: a few
 * per cent of a core for each connection, and a TimeoutNegativeWarning. A queue needs looking at only while something
 * waits in it, and then each request that joins schedules the check itself.
 */
export function calmRequestQueue(): void {
  if (done) return;
  done = true;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: Queue };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: Queue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
