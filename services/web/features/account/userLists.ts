import type { Choice } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { html, type Html } from '@cadastre/pages';
import { moment, shown } from '../../schema/valueHtml.ts';
import { choicesShown, typeLabel } from '../../schema/labels.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { pager, pageQuery } from '../../ui/url/pager.ts';
import type { TextName } from '../../ui/texts/texts.ts';
import type { Page, Shown, PageRequest } from '../../context/pageRequest.ts';

/** A personal list of the user's, in which each entry refers to an object. */
interface Own {
  path: string;
  home: string;
  title: TextName;
  none: TextName;
  ordering: string;
  /** Whether entries can be marked as read, besides being deleted. */
  read?: boolean;
}

const OWN: Record<'bookmarks' | 'notifications' | 'subscriptions', Own> = {
  bookmarks: {
    path: '/api/extras/bookmarks/',
    home: '/user/bookmarks/',
    title: 'bookmarks',
    none: 'noBookmarks',
    ordering: '-created',
  },
  notifications: {
    path: '/api/extras/notifications/',
    home: '/user/notifications/',
    title: 'notifications',
    none: 'noNotifications',
    ordering: '-created',
    read: true,
  },
  subscriptions: {
    path: '/api/extras/subscriptions/',
    home: '/user/subscriptions/',
    title: 'subscriptions',
    none: 'noSubscriptions',
    ordering: '-created',
  },
};

const ownPage = (
  { path, home, title, none, ordering, read = false }: Own,
  { catalogue, addresses }: PageOptions,
): Page => ({
  methods: ['GET', 'POST'],
  async answer(request) {
    const { api, user, query, texts, submitted } = request;
    if (submitted.fields.has(csrfField)) {
      await steer(request, path);
      return { to: home };
    }
    const asked = new URLSearchParams(pageQuery(query, request.preferences.perPage));
    asked.set('user_id', String(user.userId));
    if (!asked.has('ordering')) asked.set('ordering', ordering);
    const list = await api.get<Listed>(`${path}?${asked}`);
    const kinds = choicesShown(catalogue.models.get('extras.notification')?.fields['event_type']);
    return {
      view: 'user-list',
      title: texts(title),
      data: {
        none: texts(none),
        read,
        rows: list.results.map((one) => ({
          id: one.id,
          display: one.display,
          object: objectOf(one, (value) => shown(value, undefined, { addresses, catalogue, texts })),
          type: typeLabel(String(one['object_type']), catalogue),
          event: read ? eventLabel(String(one['event_type'] ?? ''), kinds) : undefined,
          unread: read && one['read'] === null,
          created: moment(String(one['created'])),
        })),
        pager: pager(list, home, query, request.preferences.perPage),
      },
    };
  },
});

const eventLabel = (type: string, kinds: readonly Choice[]): string =>
  kinds.find(({ value }) => value === type)?.label ?? type.replaceAll('_', ' ');

/** The object that an entry refers to, with the entry's own text; only the text if the object was deleted. */
function objectOf(one: Shown, show: (value: Shown['object']) => Html): Html {
  const object = one['object'] as Shown | null;
  if (!object) return html`${one.display}`;
  return one.display === object.display
    ? show(object)
    : html`${show(object)} <span class="faint">${one.display}</span>`;
}

/** Deletes one of the user's own entries, or marks it as read. */
async function steer({ api, user, submitted: { fields } }: PageRequest, path: string): Promise<void> {
  const [action, id] = fields.has('delete') ? ['delete', fields.get('delete')] : ['read', fields.get('read')];
  if (!/^\d{1,15}$/.test(id ?? '')) throw new HttpError(400, { detail: 'Not found.' });
  const own = await api.get<Listed>(`${path}?id=${id}&user_id=${user.userId}`);
  if (own.count !== 1) throw new HttpError(404, { detail: 'Not found.' });
  if (action === 'delete') await api.ask('DELETE', `${path}${id}/`);
  else await api.ask('PATCH', `${path}${id}/`, { body: { read: new Date().toISOString() } });
}

export const bookmarksPage = (options: PageOptions): Page => ownPage(OWN.bookmarks, options);
export const notificationsPage = (options: PageOptions): Page => ownPage(OWN.notifications, options);
export const subscriptionsPage = (options: PageOptions): Page => ownPage(OWN.subscriptions, options);
