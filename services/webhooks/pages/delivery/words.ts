import type { Json } from '@cadastre/model';
import { html, type Html, nothing, numberText, type PageView, type Shown } from '@cadastre/pages';
import { say } from '../texts/say.ts';
import type { Said } from '../texts/de.ts';
import { deliveryStatus } from '../../models/webhookDelivery.ts';

/** What pages read of a delivery. */
export interface Delivery extends Shown {
  status: { value: string; label: string };
  kind: { value: string; label: string };
  webhook: (Shown & { [member: string]: Json }) | null;
  event_type: string;
  object_type: string;
  object_id: number;
  /** Null for users who may not view the object. */
  object_name: string | null;
  request_id: string | null;
  attempts: number;
  scheduled: string;
  created: string;
  response_status: number | null;
  error: string | null;
  error_kind: string | null;
}

/** The states of deliveries, in the words of the API. */
export const STATES: readonly { value: string; label: string }[] = deliveryStatus.map(({ value, label }) => ({
  value: String(value),
  label,
}));

export const LIST = '/api/extras/webhook-deliveries/';
export const TYPE = 'extras.webhookdelivery';

/** The actions that users can take on deliveries, and the states in which each is possible. */
export type Order = 'requeue' | 'cancel';
export const ORDERS: Readonly<
  Record<
    Order,
    {
      title: string;
      past: string;
      one: Said;
      single: Said;
      several: Said;
      all: Said;
      from: readonly string[];
      byDefault: string;
    }
  >
> = {
  requeue: {
    title: 'Requeue',
    past: 'requeued',
    one: 'The delivery was requeued.',
    single: '{count} delivery requeued.',
    several: '{count} deliveries requeued.',
    all: 'Requeue all {count}',
    from: ['failed', 'cancelled', 'succeeded'],
    byDefault: 'failed',
  },
  cancel: {
    title: 'Cancel',
    past: 'cancelled',
    one: 'The delivery was cancelled.',
    single: '{count} delivery cancelled.',
    several: '{count} deliveries cancelled.',
    all: 'Cancel all {count}',
    from: ['pending', 'running'],
    byDefault: 'pending',
  },
};

const EVENTS: Readonly<Record<string, Said>> = {
  object_created: 'Created',
  object_updated: 'Updated',
  object_deleted: 'Deleted',
};

/** `object_updated` → `Updated`; whatever else a type of event is called, as it is. */
export const eventText = (type: string): string => {
  const known = EVENTS[type];
  if (known) return say(known);
  const [, action = type] = /^object_(\w+)$/.exec(type) ?? [];
  return action.charAt(0).toUpperCase() + action.slice(1).replaceAll('_', ' ');
};

/** The object of a delivery: its name links to the object, its type to the list of that type. */
export function objectOf({ object_type: type, object_id: id, object_name: name }: Delivery, view: PageView): Html {
  const page = view.pageFor(type, id);
  const list = view.pageFor(type);
  const text = name ?? `#${id}`;
  const label = view.typeLabel(type);
  return html`${list ? html`<a class="faint type" href="${list}">${label}</a>` : html`<span class="faint type">${label}</span>`} ${page ? html`<a class="name" href="${page}">${text}</a>` : html`<span class="name">${text}</span>`}`;
}

/**
 * The result of the previous action, from the query: only known words and a number, so that a link cannot inject text.
 */
export function doneIn(query: URLSearchParams): Html {
  const [, what, count, more] =
    /^(requeued|cancelled|tested)(?:-(\d{1,9})(-more)?)?$/.exec(query.get('_done') ?? '') ?? [];
  if (what === undefined) return nothing;
  const order = Object.values(ORDERS).find(({ past }) => past === what);
  const text =
    order === undefined
      ? say('The test is on its way.')
      : count === undefined
        ? say(order.one)
        : say(count === '1' ? order.single : order.several, { count: numberText(Number(count)) });
  return html`<p class="done" role="status">${text}${more ? ` ${say('There are more; repeat it for those.')}` : nothing}</p>`;
}

/** Says whether the page keeps itself up to date; scripts show it. */
export const live = (): Html =>
  html`<span class="live" role="status" hidden data-on="${say('Live')}" data-off="${say('Cannot reach the server')}" data-again="${say('Reconnecting')}" data-poll="${say('Updated every 5 seconds')}"></span>`;
