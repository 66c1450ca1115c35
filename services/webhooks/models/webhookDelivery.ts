import { choice, choices, datetime, integer, json, model, objectType, ref, text, uuid } from '@cadastre/model';

export const deliveryStatus = choices([
  ['pending', 'Pending'], ['running', 'Running'], ['succeeded', 'Succeeded'], ['failed', 'Failed'], ['cancelled', 'Cancelled'],
]);

const shown = { readOnly: true } as const;

/** One message about one change, and what became of it. The queue makes and fills the table. */
export const webhookDelivery = model('extras.webhookdelivery', {
  path: 'webhook-deliveries', label: 'webhook delivery', plural: 'webhook deliveries', table: 'webhook_delivery', ordering: ['-id'], readOnly: true,
  brief: ['status', 'object_type', 'object_id'], search: ['destination', 'object_type', 'error'],
  display: { columns: ['event_type', 'object_type', 'object_id'], text: ([event, type, id]) => `${type} ${id} ${event}` },
  fields: {
    webhook: ref('extras.webhook', shown),
    rule: ref('extras.eventrule', shown),
    event_id: uuid(shown),
    event_type: text(shown),
    object_type: objectType(shown),
    object_id: integer({ ...shown, size: 'bigint' }),
    request_id: uuid({ ...shown, optional: true }),
    status: choice(deliveryStatus, shown),
    destination: text(shown),
    method: text({ ...shown, nullable: true }),
    url: text({ ...shown, nullable: true, filter: false }),
    attempts: integer(shown),
    response_status: integer({ ...shown, optional: true }),
    error: text({ ...shown, nullable: true }),
    payload: json(shown),
    created: datetime(shown),
    scheduled: datetime(shown),
    started: datetime({ ...shown, optional: true }),
    finished: datetime({ ...shown, optional: true }),
  },
});
