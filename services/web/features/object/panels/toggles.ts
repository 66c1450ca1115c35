import type { Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import type { TextName } from '../../../ui/texts/texts.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { type About, BOOKMARKS, listAbout, queryAbout, SUBSCRIPTIONS } from './about.ts';

/** A personal switch of the user for an object. */
interface Switch {
  name: string;
  about: About;
  on: TextName;
  off: TextName;
}

const SWITCHES: readonly Switch[] = [
  { name: 'bookmark', about: BOOKMARKS, on: 'bookmarked', off: 'bookmark' },
  { name: 'subscription', about: SUBSCRIPTIONS, on: 'subscribed', off: 'subscribe' },
];

export interface Toggle {
  name: string;
  label: string;
  on: boolean;
}

const mine = ({ user }: PageRequest): string => `user_id=${user.userId}&limit=1&fields=id`;

/** The switches of an object with their present state for the user. */
export async function togglesOf(request: PageRequest, model: Model, { id }: Shown): Promise<Toggle[]> {
  const all = await Promise.all(
    SWITCHES.map(async ({ name, about, on, off }) => {
      const list = await listAbout(request, about, model, id, mine(request));
      const isOn = (list?.count ?? 0) > 0;
      if (!list || !(await request.may(isOn ? 'delete' : 'add', about.type))) return [];
      return [{ name, label: request.texts(isOn ? on : off), on: isOn }];
    }),
  );
  return all.flat();
}

/** Toggles a switch. @throws HttpError 404, and if the API refuses the request */
export async function toggle(request: PageRequest, model: Model, id: number, wanted: string): Promise<void> {
  const { api, user } = request;
  const found = SWITCHES.find(({ name }) => name === wanted);
  if (!found) throw new HttpError(404, { detail: 'There is no such page.' });
  const { path, typeField, idField } = found.about;
  const there = await api.get<Listed<Shown>>(
    `${path}?${queryAbout(found.about, model.name, id)}&user_id=${user.userId}`,
  );
  if (there.results[0]) await api.ask('DELETE', `${path}${there.results[0].id}/`);
  else await api.ask('POST', path, { body: { [typeField]: model.name, [idField]: id, user: user.userId } });
}
