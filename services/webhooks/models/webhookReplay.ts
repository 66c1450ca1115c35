import { choice, choices, datetime, helped, integer, model, objectTypes, ref, text } from '@cadastre/model';

export const replayStatus = choices([
  ['pending', 'Pending'],
  ['running', 'Running'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
]);

const shown = { readOnly: true } as const;

/** Events of the past that are sent to one webhook once more. The queue makes and fills the table. */
export const webhookReplay = model('extras.webhookreplay', {
  path: 'webhook-replays',
  exempt: 'never',
  label: 'webhook replay',
  table: 'webhook_replay',
  ordering: ['-id'],
  readOnly: true,
  brief: ['status'],
  search: ['requested_by', 'error'],
  display: { columns: ['id'], text: ([id]) => `Replay ${id}` },
  pages: { columns: ['webhook', 'status', 'since', 'until', 'events', 'deliveries', 'created'] },
  fields: {
    webhook: ref('extras.webhook', shown),
    since: datetime(shown),
    until: datetime(shown),
    object_types: objectTypes({ ...shown, filter: false }),
    status: choice(replayStatus, shown),
    requested_by: text({ ...shown, nullable: true }),
    events: helped('Events of the range that have been looked at.', integer(shown)),
    deliveries: helped('Deliveries that were queued for them.', integer(shown)),
    error: text({ ...shown, nullable: true }),
    created: datetime(shown),
    started: datetime({ ...shown, optional: true }),
    finished: datetime({ ...shown, optional: true }),
  },
});
