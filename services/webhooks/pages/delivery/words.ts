import type { Json } from '@cadastre/model';
import { html, type Html, nothing, type PageView, type Shown } from '@cadastre/pages';
import { deliveryStatus } from '../../models/webhookDelivery.ts';

/** What pages read of a delivery. */
export interface Delivery extends Shown {
  status: { value: string; label: string };
  kind: { value: string; label: string };
  webhook: (Shown & { [member: string]: Json }) | null;
  event_type: string;
  object_type: string;
  object_id: number;
  /** Nothing for those who may not view the object. */
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

/** What somebody can have done to deliveries, and in which states each is possible. */
export type Order = 'requeue' | 'cancel';
export const ORDERS: Readonly<
  Record<Order, { title: string; past: string; from: readonly string[]; byDefault: string }>
> = {
  requeue: { title: 'Requeue', past: 'requeued', from: ['failed', 'cancelled', 'succeeded'], byDefault: 'failed' },
  cancel: { title: 'Cancel', past: 'cancelled', from: ['pending', 'running'], byDefault: 'pending' },
};

/** `Object updated` → `Updated`; whatever else a type of event is called, as it is. */
export const eventText = (type: string): string => {
  const [, action = type] = /^object_(\w+)$/.exec(type) ?? [];
  return action.charAt(0).toUpperCase() + action.slice(1).replaceAll('_', ' ');
};

/** The object that a delivery tells of: its name leads to it, its type to the list of those. */
export function objectOf({ object_type: type, object_id: id, object_name: name }: Delivery, view: PageView): Html {
  const page = view.pageFor(type, id);
  const list = view.pageFor(type);
  const text = name ?? `#${id}`;
  const label = view.typeLabel(type);
  return html`${list ? html`<a class="faint type" href="${list}">${label}</a>` : html`<span class="faint type">${label}</span>`} ${page ? html`<a class="name" href="${page}">${text}</a>` : html`<span class="name">${text}</span>`}`;
}

/** What was done before a page was shown: words and a number that are known, nothing that an address could smuggle in. */
export function doneIn(query: URLSearchParams): Html {
  const [, what, count, more] =
    /^(requeued|cancelled|tested)(?:-(\d{1,9})(-more)?)?$/.exec(query.get('_done') ?? '') ?? [];
  if (what === undefined) return nothing;
  const text =
    what === 'tested'
      ? 'The test is on its way.'
      : count === undefined
        ? `The delivery was ${what}.`
        : `${Number(count).toLocaleString('en')} ${count === '1' ? 'delivery' : 'deliveries'} ${what}.${more ? ' There are more; repeat it for those.' : ''}`;
  return html`<p class="done" role="status">${text}</p>`;
}

/** Says whether the page keeps itself up to date; scripts show it. */
export const live = html`<span class="live" role="status" hidden data-on="Live" data-off="Cannot reach the server" data-again="Reconnecting" data-poll="Updated every 5 seconds"></span>`;
