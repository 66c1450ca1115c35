// A separate process that delivers, for tests with several processes, and of what a killed process leaves behind. It
// runs the complete delivery; only the change records of replays come from a table instead of another service.
import { createFollowers } from '@cadastre/events';
import { createPostgresLog } from '@cadastre/events/postgres';
import pg from 'pg';
import type { ChangeRecord } from '../../extras/models/changesApi.ts';
import { loadWebhookSettings } from '../settings.ts';
import { startDelivery } from '../delivery/start.ts';

const url = process.env.DATABASE_URL!;
const pool = new pg.Pool({ connectionString: url, max: 8 });
const log = await createPostgresLog({ connection: url });
const say = (details: Record<string, unknown>, message: string) => {
  process.send?.(`${message}: ${String(details['err'] ?? JSON.stringify(details))}`);
};

const past = `select id::int, event_id::text, object_id::int from past_change where id > $1 order by id limit $2`;
type Past = Pick<ChangeRecord, 'id' | 'event_id' | 'object_id'>;
const recordOf = (row: Past): ChangeRecord => ({
  ...row,
  time: '2026-11-21T05:20:35.881926Z',
  request_id: row.event_id,
  user: 'admin',
  action: 'create',
  type: 'dcim.site',
  display: '',
  message: '',
  prechange: 'null',
  postchange: JSON.stringify({ id: row.object_id }),
});

await startDelivery({
  pool,
  connection: url,
  followers: createFollowers(log, pool),
  services: ['dcim'],
  config: loadWebhookSettings(process.env),
  logger: { warn: say, error: say },
  past: {
    async changes({ after_id, limit }) {
      // Long enough for a test to do something in the middle.
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      return (await pool.query<Past>(past, [after_id, limit])).rows.map(recordOf);
    },
    show: async () => [],
  },
});
process.send?.('ready');
