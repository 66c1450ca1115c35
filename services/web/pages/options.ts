import { apiPath } from '../model/addresses.ts';
import type { PagesOptions } from '../pages.ts';
import type { Listed } from '@cadastre/pages';
import type { ModelPage, Shown } from '../visit.ts';

/** So many objects are offered at once. */
export const OFFERED = 50;

/** What a picker offers for what has been typed: as JSON, for scripts of ours. */
export const optionsPage = (_: PagesOptions): ModelPage => ({
  methods: ['GET'],
  async answer({ api, query }, model) {
    const asked = new URLSearchParams(query);
    asked.set('limit', String(OFFERED));
    asked.set('brief', 'true');
    const list = await api.get<Listed<Shown>>(`${apiPath(model)}?${asked}`);
    return {
      body: JSON.stringify({
        more: Math.max(0, list.count - list.results.length),
        options: list.results.map(({ id, display, description }) => ({ id, display, description: description ?? '' })),
      }),
      type: 'json',
    };
  },
});
