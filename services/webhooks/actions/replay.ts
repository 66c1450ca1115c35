import { datetime, helped, type Json, objectTypes } from '@cadastre/model';
import {
  type ActionHandler,
  ANYBODY,
  type ApiRequest,
  detail,
  type Engine,
  invalid,
  notFound,
  parseQuery,
  recordOf,
  refuse,
  whole,
} from '@cadastre/rest';
import { webhook } from '../models/webhook.ts';
import { webhookReplay } from '../models/webhookReplay.ts';
import { bulkAction } from '../queue/bulkAction.ts';
import { tellReplays } from '../intake/replay/tell.ts';
import type { Replayer } from '../intake/replay/runner.ts';
import { type Form, readForm } from './form.ts';
import { posting } from './posting.ts';

const form: Form = {
  since: helped('The beginning of the time range.', datetime()),
  until: helped('Its end; now, unless it is given.', datetime({ optional: true })),
  object_types: helped(
    'Only changes of objects of these types; those of all types that rules send to the webhook, unless it is given.',
    objectTypes({ optional: true }),
  ),
};

const INSERT = `insert into webhook_replay (webhook_id, since, until, object_types, requested_by) values ($1, $2::timestamptz, coalesce($3::timestamptz, clock_timestamp()), $4::text[], $5) on conflict do nothing returning id::int`;
const CANCEL = `update webhook_replay set status = 'cancelled', finished = clock_timestamp() where id = $1 and status in ('pending', 'running')`;

/** A moment as fields hold it, in milliseconds; PostgreSQL takes an offset without minutes, JavaScript does not. */
const instant = (moment: Json): number => Date.parse(String(moment).replace(/([+-]\d{2})$/, '$1:00'));

/** The same moment in UTC, as requests for change records need it. */
const momentOf = (moment: Json): string => new Date(moment === null ? Date.now() : instant(moment)).toISOString();

/**
 * What a replay is asked for, by somebody who may replay the webhook. @throws Refusal 400, 403, 404
 */
async function wanted(engine: Engine, request: ApiRequest, id: string | null) {
  if (!id || !/^\d{1,15}$/.test(id)) throw notFound(webhook.className);
  await detail(engine, webhook, id, parseQuery('fields=id', engine.settings), request.who, request.base, 'replay');
  const { since, until, object_types: types } = await readForm(engine, form, request);
  if (instant(until ?? new Date().toISOString()) < instant(since!))
    throw invalid({ until: ['The end must not be before the beginning.'] });
  return { since: since!, until: until ?? null, types: (types ?? []) as string[] };
}

/** More than the deliveries of one replay that can wait at the same time. */
const MOST_WAITING = 100_000;

/**
 * POST …/webhooks/<id>/replay/: sends a webhook what its enabled rules send it for the changes of a time range, once
 * more. It needs the permission `replay` on the webhook. POST …/webhook-replays/<id>/cancel/ ends that early, and takes
 * what still waits out of the queue.
 */
export const replays = (engine: Engine, replayer: () => Replayer | undefined): Record<string, ActionHandler> => ({
  'extras/webhooks/*/count-replay': posting({
    summary: 'Tell how much a replay would send, without sending it',
    form,
    answer: recordOf({
      events: { type: 'integer', description: 'Changes that it would look at.' },
      deliveries: { type: 'integer', description: 'Deliveries that it would queue for them.' },
      complete: { type: 'boolean', description: 'Whether that is all; of long ranges only the beginning is counted.' },
    }),
    async handle(request, id) {
      const { since, until, types } = await wanted(engine, request, id);
      const counted = await replayer()?.count({
        webhook: Number(id),
        since: momentOf(since),
        until: momentOf(until),
        types,
      });
      if (!counted) throw refuse(503, 'Replays are not possible here.');
      return { status: 200, body: JSON.stringify(counted) };
    },
  }),
  'extras/webhooks/*/replay': posting({
    summary: 'Send what happened in a time range once more',
    form,
    answer: whole(webhookReplay),
    status: 202,
    refuses: [409],
    async handle(request, id) {
      const { who, base } = request;
      const { since, until, types } = await wanted(engine, request, id);
      const {
        rows: [made],
      } = await engine.pool.query<{ id: number }>(INSERT, [id, since, until, types, who.username]);
      if (!made) throw refuse(409, 'The webhook has a replay under way already.');
      await tellReplays(engine.pool);
      replayer()?.wake();
      const { text } = await detail(
        engine,
        webhookReplay,
        String(made.id),
        parseQuery('', engine.settings),
        ANYBODY,
        base,
      );
      return { status: 202, body: text, headers: { Location: `${base}/api/extras/webhook-replays/${made.id}/` } };
    },
  }),
  'extras/webhook-replays/*/cancel': posting({
    summary: 'End a replay, and cancel its deliveries that still wait',
    answer: whole(webhookReplay),
    refuses: [409],
    async handle({ who, base, search }, id) {
      if (!id || !/^\d{1,15}$/.test(id)) throw notFound(webhookReplay.className);
      const shown = () => detail(engine, webhookReplay, id, parseQuery(search, engine.settings), who, base, 'change');
      await shown();
      const { rowCount } = await engine.pool.query(CANCEL, [id]);
      const { ids } = await bulkAction(
        engine.pool,
        'cancel',
        { condition: 't.replay_id = $1::bigint', values: [id], statuses: ['pending'], limit: MOST_WAITING },
        who.username,
      );
      if (!rowCount && !ids.length) throw refuse(409, 'The replay has ended, and none of its deliveries waits.');
      await tellReplays(engine.pool);
      return { status: 200, body: (await shown()).text };
    },
  }),
});
