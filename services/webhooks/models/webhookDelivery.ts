import {
  choice,
  choices,
  datetime,
  helped,
  inDetail,
  integer,
  json,
  model,
  objectType,
  ref,
  text,
  uuid,
} from '@cadastre/model';
import { attemptLog } from './attemptLog.ts';

export const deliveryStatus = choices([
  ['pending', 'Pending'],
  ['running', 'Running'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
]);

/** Where an attempt failed, in the order of its steps. */
export const errorKinds = [
  'template',
  'url',
  'headers',
  'policy',
  'dns',
  'connection',
  'tls',
  'timeout',
  'response',
  'status',
  'webhook',
  'worker',
] as const;

export const deliveryKind = choices([
  ['event', 'Event'],
  ['test', 'Test'],
  ['replay', 'Replay'],
]);

const shown = { readOnly: true } as const;

/** One message about one change, and what became of it. The queue makes and fills the table. */
export const webhookDelivery = model('extras.webhookdelivery', {
  path: 'webhook-deliveries',
  exempt: 'never',
  label: 'webhook delivery',
  plural: 'webhook deliveries',
  table: 'webhook_delivery',
  ordering: ['-id'],
  readOnly: true,
  brief: ['status', 'object_type', 'object_id'],
  search: ['object_name', 'destination', 'object_type', 'error'],
  display: {
    columns: ['event_type', 'object_type', 'object_id'],
    text: ([event, type, id]) => `${type} ${id} ${event}`,
  },
  about: { type: 'object_type', id: 'object_id', tells: ['object_name', 'payload', 'request_url', 'attempt_log'] },
  pages: {
    columns: ['object_name', 'status', 'webhook', 'rule', 'response_status', 'created'],
    groups: { Identifiers: ['event_id', 'request_id'] },
  },
  fields: {
    webhook: ref('extras.webhook', { ...shown, optional: true }),
    rule: ref('extras.eventrule', { ...shown, optional: true }),
    kind: helped(
      'What it is sent for: an event as it happened, a test, or an event that is replayed.',
      choice(deliveryKind, shown),
    ),
    replay: ref('extras.webhookreplay', { ...shown, optional: true }),
    event_id: uuid(shown),
    event_type: text(shown),
    object_type: objectType(shown),
    object_id: integer({ ...shown, size: 'bigint' }),
    object_name: helped(
      'What the object was called when it was told of.',
      text({ ...shown, max: 1000, nullable: true }),
    ),
    request_id: uuid({ ...shown, optional: true }),
    status: choice(deliveryStatus, shown),
    destination: text(shown),
    method: text({ ...shown, nullable: true }),
    request_url: text({ ...shown, nullable: true, filter: false }),
    attempts: helped('How many attempts there were, those of workers that went away among them.', integer(shown)),
    requeues: helped('How often somebody has put it back into the queue.', integer(shown)),
    requested_by: helped(
      'Who asked for the test, the replay, or the last requeue.',
      text({ ...shown, nullable: true }),
    ),
    cancelled_by: text({ ...shown, nullable: true }),
    worker: helped('The process that has it, or had it last.', text({ ...shown, nullable: true })),
    response_status: integer({ ...shown, optional: true }),
    error_kind: helped(
      `Where the last attempt failed: ${errorKinds.slice(0, -1).join(', ')} or ${errorKinds.at(-1)}.`,
      text({ ...shown, nullable: true }),
    ),
    error: text({ ...shown, nullable: true }),
    payload: json(shown),
    attempt_log: inDetail(attemptLog),
    created: datetime(shown),
    scheduled: datetime(shown),
    started: datetime({ ...shown, optional: true }),
    finished: datetime({ ...shown, optional: true }),
  },
});
