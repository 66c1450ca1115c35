import { apiPath, type Catalogue, type Model, webPath } from '@cadastre/model';
import { html, type HomeWidget, type Html, type Listed, nothing, type Parts } from '@cadastre/pages';
import { moment, shown } from '../../schema/valueHtml.ts';
import type { Addresses } from '../../schema/addresses.ts';
import { pluralLabel, singularLabel, titleLabel, typeLabel } from '../../schema/labels.ts';
import { within } from '../../ui/texts/within.ts';
import { inOrder } from '../../shell/navigation.ts';
import type { TextName } from '../../ui/texts/texts.ts';
import { viewOf } from '../../context/pageView.ts';
import type { Shown, PageRequest } from '../../context/pageRequest.ts';
import { allowed } from '../../context/refusals.ts';
import { type Kind, kindOf, type Widget } from './dashboard.ts';

interface Showing {
  catalogue: Catalogue;
  addresses: Addresses;
  parts: Pick<Required<Parts>, 'widgets'>;
}
type Body = (request: PageRequest, showing: Showing, widget: Widget) => Promise<Html | undefined>;

/** A widget's title and content. */
export interface ShownWidget {
  title: string;
  body: Html;
  /** The page with the complete content. */
  href: string | undefined;
}

const SHOWN_ROWS = 10;

const modelsIn = (names: unknown, catalogue: Catalogue): Model[] =>
  Array.isArray(names) ? names.flatMap((name) => catalogue.models.get(String(name).toLowerCase()) ?? []) : [];

const counts: Body = async (request, { catalogue }, { config }) => {
  const { api } = request;
  const chosen = modelsIn(config['models'], catalogue);
  const models = chosen.length ? chosen : inOrder(catalogue).filter(({ prominent }) => prominent);
  const all = await Promise.all(
    models.map(async (model) => ({
      model,
      count: (await allowed(api.get<Listed>(`${apiPath(model)}?limit=1&fields=id`)))?.count,
    })),
  );
  const counted = all.flatMap(({ model, count }) => {
    const page = webPath(model);
    return count === undefined || page === undefined ? [] : [{ model, page, count }];
  });
  if (!counted.length) return undefined;
  const tiles = html`<ul class="tiles">${counted.map(
    ({ model, page, count }) => html`<li><a href="${page}"><strong>${count}</strong> ${pluralLabel(model)}</a></li>`,
  )}</ul>`;
  return counted.some(({ count }) => count) ? tiles : html`${tiles}${await begin(request, counted)}`;
};

/** Suggestions for a first step while there are no objects, as far as the user may add some. */
async function begin({ may, texts }: PageRequest, all: readonly { model: Model; page: string }[]): Promise<Html> {
  const mayAdd = await Promise.all(all.map(({ model }) => may('add', model.name)));
  const ways = all.filter((_, i) => mayAdd[i]).slice(0, 4);
  return ways.length
    ? html`<p>${texts('nothingDocumented')}</p><ul class="begin">${ways.map(
        ({ model, page }, i) =>
          html`<li><a class="button${i ? '' : ' main'}" href="${page}add/">${texts('addOne', { label: within(singularLabel(model)) })}</a></li>`,
      )}<li><a class="button" href="${ways[0]!.page}import/">${texts('importOf', { label: within(pluralLabel(ways[0]!.model)) })}</a></li></ul>`
    : nothing;
}

const list: Body = async ({ api, texts }, { catalogue, addresses }, { config }) => {
  const [model] = modelsIn([config['model']], catalogue);
  if (!model) return undefined;
  const filter = new URLSearchParams(filterOf(config['url_params']));
  filter.set('limit', String(SHOWN_ROWS));
  const found = await allowed(api.get<Listed>(`${apiPath(model)}?${filter}`));
  return (
    found && objects(found.results, (one) => shown(one, undefined, { addresses, catalogue, texts }), texts('noResults'))
  );
};

/** The filters of a widget: in the form of clients of the reference, or as a query string. */
const filterOf = (given: unknown): string | Record<string, string> =>
  typeof given === 'string'
    ? given
    : typeof given === 'object' && given !== null
      ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
      : '';

const objects = (all: readonly Shown[], show: (one: Shown) => Html, none: string): Html =>
  all.length
    ? html`<ul class="rows">${all.map((one) => html`<li>${show(one)}</li>`)}</ul>`
    : html`<p class="none">${none}</p>`;

const about =
  (path: string, ordering: string, none: TextName, more = ''): Body =>
  async ({ api, user, texts }, { addresses, catalogue }) => {
    const found = await allowed(
      api.get<Listed>(`${path}?user_id=${user.userId}&ordering=${ordering}&limit=${SHOWN_ROWS}${more}`),
    );
    return (
      found &&
      objects(
        found.results,
        (one) =>
          html`${shown(one['object'], undefined, { addresses, catalogue, texts })} <span class="faint">${moment(String(one['created']))}</span>`,
        texts(none),
      )
    );
  };

const changes: Body = async ({ api, texts }, { catalogue, addresses }) => {
  const found = await allowed(api.get<Listed>(`/api/core/object-changes/?limit=${SHOWN_ROWS}`));
  return (
    found &&
    (found.results.length
      ? html`<table class="list"><tbody>${found.results.map((one) => {
          const object = one['changed_object'] as { url?: string; display?: string } | null;
          const page = object?.url === undefined ? undefined : addresses.pageOf(object.url);
          const text = object?.display ?? String(one['object_repr'] ?? one.display);
          const type = typeLabel(String(one['changed_object_type']), catalogue);
          return html`<tr><td>${moment(String(one['time']))}</td><td>${String(one['user_name'] ?? '')}</td><td>${shown(one['action'], undefined, { addresses, catalogue, texts })}</td><td>${type}</td><th scope="row">${page ? html`<a href="${page}">${text}</a>` : text}</th></tr>`;
        })}</tbody></table>`
      : html`<p class="none">${texts('nothingYet')}</p>`)
  );
};

const note: Body = async (_visit, _showing, { config }) => html`<p class="text">${String(config['content'] ?? '')}</p>`;

const BODIES: Record<Kind, { title: TextName; href?: string; body: Body }> = {
  counts: { title: 'counts', body: counts },
  list: { title: 'objects', body: list },
  bookmarks: {
    title: 'bookmarks',
    href: '/user/bookmarks/',
    body: about('/api/extras/bookmarks/', '-created', 'noBookmarks'),
  },
  note: { title: 'note', body: note },
  changes: { title: 'latestChanges', href: '/core/changelog/', body: changes },
  notifications: {
    title: 'notifications',
    href: '/user/notifications/',
    body: about('/api/extras/notifications/', '-created', 'noNotifications', '&read__empty=true'),
  },
};

export const titleOf = (kind: Kind): TextName => BODIES[kind].title;

/** A widget with its content; undefined if the user may see none of it. */
export async function shownWidget(
  request: PageRequest,
  showing: Showing,
  widget: Widget,
): Promise<ShownWidget | undefined> {
  const kind = kindOf(widget);
  if (kind === undefined) {
    const own = showing.parts.widgets.find((one) => one.kind === widget.kind);
    if (own) return ownWidget(request, showing, widget, own);
    const text = request.texts('unknownWidget', { kind: widget.kind });
    return { title: widget.title || widget.kind, body: html`<p class="none">${text}</p>`, href: undefined };
  }
  const { title, href, body } = BODIES[kind];
  const inside = await body(request, showing, widget);
  if (inside === undefined) return undefined;
  const [model] = kind === 'list' ? modelsIn([widget.config['model']], showing.catalogue) : [];
  return {
    title: widget.title || (model ? pluralLabel(model) : request.texts(title)),
    body: inside,
    href: model ? webPath(model) : href && (kind === 'changes' ? changesHome(showing.catalogue) : href),
  };
}

/** A widget that a service adds, with its content. */
async function ownWidget(
  request: PageRequest,
  { addresses }: Showing,
  widget: Widget,
  { title, href, render }: HomeWidget,
): Promise<ShownWidget | undefined> {
  const view = viewOf(request, addresses);
  const body = await render(view);
  return body && { title: widget.title || titleLabel(title), body, href: href?.(view) };
}

/** The page that lists all change records, if there is one. */
function changesHome(catalogue: Catalogue): string | undefined {
  const model = [...catalogue.models.values()].find(({ fromEvents }) => fromEvents);
  return model && webPath(model);
}
