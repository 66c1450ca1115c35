import type { Page, Visit } from './page.ts';
import { type Listed, pager, pageQuery } from './pager.ts';

const path = '/api/core/parked-events/';
const home = '/core/parked-events/';

async function listPage({ api, query }: Visit) {
  const list = await api.get<Listed<unknown> & { unavailable?: string[] }>(
    `${path}?${new URLSearchParams(pageQuery(query))}`,
  );
  const done =
    { replayed: 'The event was handled.', discarded: 'The event was discarded.' }[query.get('done') ?? ''] ?? null;
  return {
    view: 'parked',
    title: 'Parked events',
    data: { events: list.results, unavailable: list.unavailable ?? [], pager: pager(list, home, query), done },
  };
}

/** Events that services could not handle, for superusers. */
export const parkedPages: readonly Page[] = [
  { method: 'GET', path: home, answer: listPage },
  {
    method: 'GET',
    path: `${home}*/*/`,
    answer: async ({ api, parts: [service, id] }) => ({
      view: 'parked-event',
      title: `Parked event ${id} of ${service}`,
      data: { event: await api.get(`${path}${service}/${id}/`) },
    }),
  },
  {
    method: 'POST',
    path: `${home}*/*/replay/`,
    answer: async ({ api, parts: [service, id] }) => {
      await api.post(`${path}${service}/${id}/replay/`);
      return { to: `${home}?done=replayed` };
    },
  },
  {
    method: 'POST',
    path: `${home}*/*/discard/`,
    answer: async ({ api, parts: [service, id] }) => {
      await api.remove(`${path}${service}/${id}/`);
      return { to: `${home}?done=discarded` };
    },
  },
];
