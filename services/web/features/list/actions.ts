import type { Model } from '@cadastre/model';
import type { ListAction } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import type { PageOptions } from '../../context/pageOptions.ts';
import { viewOf } from '../../context/pageView.ts';
import type { ModelPage, PageRequest } from '../../context/pageRequest.ts';
import { selecting } from '../../ui/url/listQuery.ts';

/** What a service adds to a list for somebody: buttons for the rows that are selected. */
export async function listActionsFor(
  { may }: PageRequest,
  { name: type }: Model,
  { parts }: Pick<PageOptions, 'parts'>,
): Promise<ListAction[]> {
  const all = parts.listActions.filter(({ on }) => on === type);
  const mine = await Promise.all(all.map((one) => may(one.may, type)));
  return all.filter((_, i) => mine[i]);
}

/** Does to several objects of a list what only they have. */
export const listActionPage = ({ addresses }: PageOptions, { post }: ListAction): ModelPage => ({
  methods: ['POST'],
  async answer(request) {
    const { fields } = request.submitted;
    if (!fields.has(csrfField)) throw new HttpError(400, { detail: request.texts('noneSelected') });
    const ids = [...new Set(fields.getAll('pk'))].filter((id) => /^\d{1,15}$/.test(id)).map(Number);
    const all = fields.has('_all');
    if (!all && !ids.length) throw new HttpError(400, { detail: request.texts('noneSelected') });
    return { to: await post(viewOf(request, addresses), all ? { ids, all: selecting(request.query) } : { ids }) };
  },
});
