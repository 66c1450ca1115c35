import type { Listed } from '@cadastre/pages';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { orNothing } from '../../../context/refusals.ts';

/** The names of users, as far as the reader may see them. */
export async function userNames({ api, may, user }: PageRequest, ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map([[user.userId, user.username]]);
  const others = [...new Set(ids)].filter((id) => !names.has(id));
  if (!others.length || !(await may('view', 'users.user'))) return names;
  const query = others.map((id) => `id=${id}`).join('&');
  const list = await orNothing(api.get<Listed<Shown>>(`/api/users/users/?${query}&brief=true&limit=${others.length}`));
  for (const { id, display } of list?.results ?? []) names.set(id, display);
  return names;
}
