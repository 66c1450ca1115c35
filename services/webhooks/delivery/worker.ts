import { hostname } from 'node:os';
import type { Pool } from 'pg';
import { type Finished, statusAfter } from '../queue/finish.ts';

/** A delivering process, as others see it. */
export interface WorkerRecord {
  /** Host and process; unique among running processes. */
  readonly name: string;
  /** Counts an attempt. */
  count(finished: Finished): void;
  /** Says that it is alive. */
  beat(running: number): Promise<void>;
  /** Takes it out of the list. */
  leave(): Promise<void>;
}

// Records of workers that have not reported for this long are removed.
const forgottenAfter = '1 day';

const statement = `with old as (delete from webhook_worker where seen < now() - interval '${forgottenAfter}')
  insert into webhook_worker (name, host, pid, birth, seen, running, succeeded, failed, seconds) values ($1, $2, $3, $4, now(), $5, $6, $7, $8)
  on conflict (name) do update set seen = excluded.seen, birth = excluded.birth, running = excluded.running, succeeded = excluded.succeeded, failed = excluded.failed, seconds = excluded.seconds`;

/** The record of this process. */
export function workerRecord(pool: Pool, birth = new Date()): WorkerRecord {
  const host = hostname();
  const name = `${host.replaceAll(/[^\w.-]/g, '-')}.${process.pid}.${birth.getTime().toString(36)}`;
  let succeeded = 0;
  let failed = 0;
  let seconds = 0;
  return {
    name,
    count(finished) {
      if (statusAfter(finished) === 'succeeded') succeeded += 1;
      else failed += 1;
      seconds += finished.outcome.durationMs / 1_000;
    },
    async beat(running) {
      await pool.query(statement, [name, host, process.pid, birth, running, succeeded, failed, seconds]);
    },
    async leave() {
      await pool.query('delete from webhook_worker where name = $1', [name]);
    },
  };
}
