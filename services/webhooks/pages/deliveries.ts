import {
  type Action,
  ago,
  type Banner,
  type Cell,
  html,
  type ListAction,
  nothing,
  type OwnPage,
  search,
  type Shown,
} from '@cadastre/pages';
import { banner } from './delivery/banner.ts';
import { put } from './texts/say.ts';
import { type Delivery, eventText, LIST, objectOf, type Order, ORDERS, TYPE } from './delivery/words.ts';

const of = (object: Shown): Delivery => object as Delivery;
const orders = Object.entries(ORDERS) as [Order, (typeof ORDERS)[Order]][];

export const banners: readonly Banner[] = [{ on: TYPE, render: banner }];

export const cells: readonly Cell[] = [
  {
    on: TYPE,
    name: 'display',
    title: 'Delivery',
    shows: ['event_type', 'kind'],
    render(object, view) {
      const { id, event_type: event, kind } = of(object);
      return html`#${id} ${eventText(event)}${kind.value === 'event' ? nothing : html` <span class="badge" data-value="${kind.value}">${view.choiceLabel(kind.label)}</span>`}`;
    },
  },
  {
    on: TYPE,
    name: 'object_name',
    title: 'Object',
    shows: ['object_type', 'object_id'],
    render: (object, view) => html`<span class="about-object">${objectOf(of(object), view)}</span>`,
  },
  {
    on: TYPE,
    name: 'status',
    shows: ['attempts', 'scheduled'],
    render(object, view) {
      const { status, attempts, scheduled } = of(object);
      const waits = status.value === 'pending' && attempts > 0;
      return html`${view.shown(status)}${waits ? html` <span class="faint">${put('next attempt {when}', { when: ago(scheduled) })}</span>` : nothing}`;
    },
  },
  {
    on: TYPE,
    name: 'response_status',
    title: 'Response',
    shows: ['error', 'error_kind'],
    render(object) {
      const { response_status: status, error, error_kind: kind } = of(object);
      if (!error) return html`${status ?? '–'}`;
      return html`<span class="why" title="${error}"><strong>${kind === 'status' && status !== null ? status : kind}</strong> ${error}</span>`;
    },
  },
  ...['created', 'scheduled', 'started', 'finished'].map(
    (name): Cell => ({
      on: TYPE,
      name,
      render: (object) => (object[name] ? ago(String(object[name])) : html`–`),
    }),
  ),
];

/** One delivery, put back into the queue or taken out of it. */
export const actions: readonly Action[] = orders.map(([order, { title, past, from }]) => ({
  on: TYPE,
  name: order,
  title,
  may: 'change',
  has: (object) => from.includes(of(object).status.value),
  // What has succeeded is rarely to be sent again.
  main: (object) => of(object).status.value !== 'succeeded',
  async post({ api, object, pageFor }) {
    await api.ask('POST', `${LIST}${object.id}/${order}/`, { body: {} });
    return `${pageFor(TYPE, object.id)}?_done=${past}`;
  },
}));

/** Those that are ticked, or all that filters select: then failed ones are requeued, pending ones cancelled, unless a state is named. */
export const listActions: readonly ListAction[] = orders.map(([order, { title, past, from, byDefault }]) => ({
  on: TYPE,
  name: order,
  title,
  may: 'change',
  async post({ api, query, pageFor }, { ids, all }) {
    const asked = new URLSearchParams(all ?? search({ id: ids, status: from }));
    if (!asked.has('status')) asked.set('status', byDefault);
    const { body } = await api.ask<Record<string, unknown>>('POST', `${LIST}${order}/?${asked}`, { body: {} });
    const back = new URLSearchParams(query);
    back.set('_done', `${past}-${Number(body[past])}${body['more'] ? '-more' : ''}`);
    return `${pageFor(TYPE)}?${back}`;
  },
}));

/** Where the list was before; links of then say `state`. */
const before: OwnPage = {
  path: '/core/background-tasks/',
  title: 'Background tasks',
  async render({ query, pageFor }) {
    const next = new URLSearchParams(
      [...query].map(([name, value]): [string, string] => [name === 'state' ? 'status' : name, value]),
    );
    return `${pageFor(TYPE)}${next.size ? `?${next}` : ''}`;
  },
};

export const pages: readonly OwnPage[] = [before];
