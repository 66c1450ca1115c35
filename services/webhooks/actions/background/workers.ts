import { type Executor, recordOf, rowsOf } from '@cadastre/rest';
import { isoSql } from '@cadastre/model';

/** The queues of the reference; deliveries are all in the first. */
export const QUEUES = ['default', 'high', 'low'];

/** SQL that is true when a worker has reported recently; `$1` is the lease, and workers report every third of it. */
export const ALIVE = `seen >= now() - $1::float8 * interval '1 millisecond'`;

const statement = `select name, pid, ${isoSql('birth')}, running, succeeded, failed, seconds from webhook_worker where ${ALIVE} order by birth, name`;

/** A worker in responses. */
export const WORKER = recordOf({
  name: { type: 'string' },
  url: { type: 'string', format: 'uri' },
  state: { type: 'string', enum: ['busy', 'idle'] },
  birth_date: { type: 'string', format: 'date-time' },
  queue_names: { type: 'array', items: { type: 'string' } },
  pid: { type: 'string' },
  successful_job_count: { type: 'integer' },
  failed_job_count: { type: 'integer' },
  total_working_time: { type: 'number' },
});

/** The processes that deliver, in all replicas of the service. */
export async function workersOf(db: Executor, leaseMs: number, base: string) {
  return (await rowsOf(db, { text: statement, values: [leaseMs] })).map(
    ([name, pid, birth, running, succeeded, failed, seconds]) => ({
      name: name!,
      url: `${base}/api/core/background-workers/${name}/`,
      state: Number(running) ? 'busy' : 'idle',
      birth_date: birth,
      queue_names: QUEUES,
      pid,
      successful_job_count: Number(succeeded),
      failed_job_count: Number(failed),
      total_working_time: Number(seconds),
    }),
  );
}
