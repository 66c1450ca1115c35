import { type Cell, isoSql } from '@cadastre/model';
import { type Executor, recordOf, rowsOf } from '@cadastre/rest';
import { ALIVE, QUEUES } from './workers.ts';

// Each count uses a partial index that holds little else, so it is fast however many deliveries are kept.
const statement = `select
  (select count(*) from webhook_delivery where status = 'pending' and scheduled <= now()), (select coalesce(${isoSql('min(created)')}, '-') from webhook_delivery where status = 'pending'),
  (select count(*) from webhook_delivery where finished is not null), (select count(*) from webhook_delivery where status = 'running'),
  (select count(*) from webhook_delivery where status in ('failed', 'cancelled') and status = 'failed'), (select count(*) from webhook_delivery where status in ('failed', 'cancelled') and status = 'cancelled'),
  (select count(*) from webhook_delivery where status = 'pending' and scheduled > now()), (select count(*) from webhook_worker where ${ALIVE}), (select min(pid) from webhook_worker where ${ALIVE})`;

const count = { type: 'integer' };

/** A queue in responses. */
export const QUEUE = recordOf({
  name: { type: 'string' },
  url: { type: 'string', format: 'uri' },
  jobs: count,
  oldest_job_timestamp: { type: 'string' },
  index: count,
  scheduler_pid: { type: ['string', 'null'] },
  workers: count,
  finished_jobs: count,
  started_jobs: count,
  deferred_jobs: count,
  failed_jobs: count,
  scheduled_jobs: count,
});

export async function queuesOf(db: Executor, leaseMs: number, base: string) {
  const [jobs, oldest, finished, started, failed, cancelled, scheduled, workers, pid] = (
    await rowsOf(db, { text: statement, values: [leaseMs] })
  )[0]!;
  return QUEUES.map((name, index) => {
    const own = (cell: Cell | undefined): number => (index === 0 ? Number(cell) : 0);
    return {
      name,
      url: `${base}/api/core/background-queues/${name}/`,
      jobs: own(jobs),
      oldest_job_timestamp: index === 0 ? oldest : '-',
      index,
      scheduler_pid: pid,
      workers: Number(workers),
      finished_jobs: own(finished) - own(failed) - own(cancelled),
      started_jobs: own(started),
      deferred_jobs: 0,
      failed_jobs: own(failed),
      scheduled_jobs: own(scheduled),
    };
  });
}
