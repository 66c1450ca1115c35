import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes for 256 ids at a time: fetching them costs more than the rest of an id. */
const RANDOM = 16 * 256;
const random = Buffer.alloc(RANDOM);
let used = RANDOM;
let msecs = 0;
let seq = 0;

/** A new event id. Ids made later sort later. */
export function newEventId(): string {
  if (used === RANDOM) {
    randomFillSync(random);
    used = 0;
  }
  const own = random.subarray(used, (used += 16));
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    // Of 32 bits, so that there is room for those of the same millisecond.
    seq = own.readUInt32BE(0) >>> 2;
  } else seq += 1;
  return v7({ random: own, msecs, seq });
}
