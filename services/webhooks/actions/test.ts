import { randomUUID } from 'node:crypto';
import type { ChangeEvent, JsonObject } from '@cadastre/events';
import { choice, choices, helped, integer, objectType, type Values } from '@cadastre/model';
import {
  type ActionHandler,
  ANYBODY,
  contextOf,
  detail,
  type Engine,
  invalid,
  notFound,
  type ObjectSnapshot,
  parseQuery,
  whole,
} from '@cadastre/rest';
import type { Show } from '@cadastre/service/models';
import { destinationKey } from '../http/request.ts';
import { webhook } from '../models/webhook.ts';
import { webhookDelivery } from '../models/webhookDelivery.ts';
import { payload } from '../rules/payload.ts';
import { put } from '../queue/put.ts';
import type { Registry } from '../rules/registry.ts';
import type { Form } from './form.ts';
import { readForm } from './form.ts';
import { posting } from './posting.ts';

const events = choices([
  ['created', 'Created'],
  ['updated', 'Updated'],
  ['deleted', 'Deleted'],
]);

const form: Form = {
  object_type: helped('The type of the object that the message tells of.', objectType()),
  object_id: helped('The object. The requester must be allowed to view it.', integer({ size: 'bigint', min: 1 })),
  event: helped('What the message says has happened to it.', choice(events, { default: 'updated' })),
};

export interface TestingOptions {
  engine: Engine;
  show: Show;
  registry(): Registry;
}

/**
 * POST …/webhooks/<id>/test/: sends what a webhook would say of an object as it is now. What becomes of it is a
 * delivery like any other, marked as a test. It needs the permission `test` on the webhook, and `view` on the object.
 */
export const test = ({ engine, show, registry }: TestingOptions): ActionHandler =>
  posting({
    summary: 'Send a sample about an object',
    form,
    answer: whole(webhookDelivery),
    status: 201,
    async handle(request, id) {
      const { who, base } = request;
      const number = Number(id);
      if (!id || !/^\d{1,15}$/.test(id)) throw notFound(webhook.className);
      await detail(engine, webhook, id, parseQuery('fields=id', engine.settings), who, base, 'test');
      const asked = await readForm(engine, form, request);
      const type = String(asked['object_type']);
      if (!engine.catalogue.has(type)) throw invalid({ object_type: [`There are no objects of type ${type}.`] });
      const [picture] = await show(type, [Number(asked['object_id'])], who);
      if (!picture)
        throw invalid({ object_id: [`Related object not found using the provided numeric ID: ${asked['object_id']}`] });
      const target = (await registry().current()).webhook(number);
      if (!target) throw notFound(webhook.className);
      const event = sample(asked, picture, contextOf(request).cause);
      const [made] = await put(
        engine.pool,
        [
          {
            eventId: event.id,
            ruleId: null,
            webhookId: number,
            webhookVersion: null,
            destination: destinationKey(target),
            eventType: `object_${event.action}`,
            objectType: type,
            objectId: event.objectId,
            objectName: event.display,
            requestId: request.id,
            payload: JSON.stringify(payload(event, null)),
          },
        ],
        { kind: 'test', replayId: null, requestedBy: who.username },
      );
      const { text } = await detail(
        engine,
        webhookDelivery,
        String(made),
        parseQuery('', engine.settings),
        ANYBODY,
        base,
      );
      return { status: 201, body: text, headers: { Location: `${base}/api/extras/webhook-deliveries/${made}/` } };
    },
  });

function sample(
  asked: Values,
  { data, snapshot, display, version }: ObjectSnapshot,
  request: ChangeEvent['request'],
): ChangeEvent {
  const action = asked['event'] as ChangeEvent['action'];
  const state = JSON.parse(snapshot) as JsonObject;
  return {
    id: randomUUID(),
    time: new Date().toISOString(),
    request,
    action,
    objectType: String(asked['object_type']),
    objectId: Number(asked['object_id']),
    version,
    display,
    message: '',
    data: JSON.parse(data) as JsonObject,
    prechange: action === 'created' ? null : state,
    postchange: action === 'deleted' ? null : state,
    row: null,
    related: null,
  };
}
