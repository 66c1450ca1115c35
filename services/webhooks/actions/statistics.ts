import { type Cell, isoSql } from '@cadastre/model';
import {
  type ActionHandler,
  arrayOf,
  type Engine,
  orNull,
  parseQuery,
  READ,
  recordOf,
  rowsOf,
  requireVisible,
  selection,
} from '@cadastre/rest';
import { webhook } from '../models/webhook.ts';
import { webhookDelivery } from '../models/webhookDelivery.ts';

const NUMBER = { type: 'integer' };
const MS = orNull({ type: 'number' });
const FIGURES = { succeeded: NUMBER, failed: NUMBER, median_ms: MS, p95_ms: MS };

/** The most deliveries of a day that are counted, the newest first: these are representative. */
const MOST = 20_000;
const HOURS = 24;

const statement = (condition: string) => `with recent as (
    select t.id, t.status, date_trunc('hour', t.finished) as hour from webhook_delivery t
    where (${condition}) and t.status in ('succeeded', 'failed') and t.finished >= date_trunc('hour', now()) - interval '${HOURS - 1} hours'
    order by t.id desc limit ${MOST}
  )
  select ${isoSql('hour')}, count(*) filter (where status = 'succeeded'), count(*) filter (where status = 'failed'),
    percentile_cont(0.5) within group (order by ms), percentile_cont(0.95) within group (order by ms)
  from recent r left join lateral (select duration_ms as ms from webhook_attempt a where a.delivery_id = r.id order by number desc limit 1) a on true
  group by grouping sets ((hour), ()) order by grouping(hour) desc, hour`;

/**
 * GET …/webhooks/<id>/statistics/: what became of the deliveries of the last day that the requester may see, and how
 * long their last attempts took, by hours and altogether.
 */
export const statistics = (engine: Engine): ActionHandler => ({
  methods: READ,
  operations: {
    GET: {
      summary: 'Tell how the deliveries of the last day went',
      answer: recordOf({
        ...FIGURES,
        hours: arrayOf(recordOf({ hour: { type: 'string', format: 'date-time' }, ...FIGURES })),
      }),
    },
  },
  async handle(request, id) {
    const { id: number } = await requireVisible(engine, webhook, id, request);
    const asked = parseQuery(`webhook_id=${number}`, engine.settings);
    const { condition, values } = await selection(engine, webhookDelivery, asked, request.who, 'view');
    const [total, ...hours] = await rowsOf(engine.pool, { text: statement(condition), values: [...values] });
    const body = { ...figures(total!), hours: hours.map((row) => ({ hour: row[0], ...figures(row) })) };
    return { status: 200, headers: { Allow: READ.join(', ') }, body: JSON.stringify(body) };
  },
});

const milliseconds = (cell: Cell | undefined): number | null =>
  cell === null || cell === undefined ? null : Math.round(Number(cell) * 10) / 10;

const figures = ([, succeeded, failed, median, p95]: readonly Cell[]) => ({
  succeeded: Number(succeeded),
  failed: Number(failed),
  median_ms: milliseconds(median),
  p95_ms: milliseconds(p95),
});
