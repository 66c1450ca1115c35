import { apiPath } from '../model/addresses.ts';
import type { PagesOptions } from '../pages.ts';
import type { Listed } from '@cadastre/pages';
import { pager, pageQuery } from '../pager.ts';
import { moment } from '../cells.ts';
import type { ModelPage, Shown } from '../visit.ts';
import { headOf } from './object.ts';

interface Change extends Shown {
  time: string;
  user_name: string;
  action: { value: string; label: string };
  message: string;
  prechange_data: Record<string, never> | null;
  postchange_data: Record<string, never> | null;
}

/** What has become of an object, the newest change first. */
export const changesPage = ({ parts }: PagesOptions): ModelPage => ({
  methods: ['GET'],
  async answer(visit, model, id) {
    const { api, query } = visit;
    const asked = new URLSearchParams(pageQuery(query));
    asked.set('changed_object_type', model.name);
    asked.set('changed_object_id', String(id));
    const [object, list] = await Promise.all([
      api.get<Shown>(`${apiPath(model)}${id}/`),
      api.get<Listed<Change>>(`/api/core/object-changes/?${asked}`),
    ]);
    const head = await headOf(visit, model, object, parts);
    return {
      view: 'changes',
      title: object.display,
      data: {
        ...head,
        changes: list.results.map((one) => ({
          ...one,
          moment: moment(one.time),
          differences: differences(one.prechange_data, one.postchange_data),
        })),
        list,
        pager: pager(list, `${head.address}changelog/`, query),
      },
    };
  },
});

/** The members that differ, with what they were and are. */
export function differences(before: Record<string, unknown> | null, after: Record<string, unknown> | null) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = (value: unknown): string =>
    value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return names
    .filter((name) => name !== 'last_updated' && name !== 'created')
    .map((name) => ({ name, before: text(before?.[name]), after: text(after?.[name]) }))
    .filter(({ before: was, after: is }) => was !== is);
}
