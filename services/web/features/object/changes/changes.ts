import { apiPath } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { type Change, CHANGES, changeViews } from './changeList.ts';
import { headOf } from '../head/head.ts';
import { choicesShown } from '../../../schema/labels.ts';
import type { PageOptions } from '../../../context/pageOptions.ts';
import { pager, pageQuery } from '../../../ui/url/pager.ts';
import type { ModelPage, Shown } from '../../../context/pageRequest.ts';

/** The filters for the changes of an object. */
const FILTERS = ['action', 'user_name', 'time_after', 'time_before', 'q'] as const;

/** The changes of an object, newest first. */
export const changesPage = (options: PageOptions): ModelPage => ({
  methods: ['GET'],
  async answer(request, model, id) {
    const { api, query, catalogue, texts } = request;
    const asked = new URLSearchParams(pageQuery(query, request.preferences.perPage));
    for (const [name, value] of query) if (value === '') asked.delete(name);
    asked.set('changed_object_type', model.name);
    asked.set('changed_object_id', String(id));
    const [object, list] = await Promise.all([
      api.get<Shown>(`${apiPath(model)}${id}/`),
      api.get<Listed<Change>>(`${CHANGES}?${asked}`),
    ]);
    const [head, changes] = await Promise.all([
      headOf(request, model, object, options),
      changeViews(request, { addresses: options.addresses, catalogue: options.catalogue, texts }, list.results),
    ]);
    return {
      view: 'changes',
      title: object.display,
      data: {
        ...head,
        changes,
        filters: Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ''])),
        filtered: FILTERS.some((name) => query.get(name)),
        kinds: choicesShown([...catalogue.models.values()].find(({ fromEvents }) => fromEvents)?.fields['action']),
        list,
        pager: pager(list, `${head.address}changelog/`, query, request.preferences.perPage),
      },
    };
  },
});
