import type { Model } from '@cadastre/model';
import type { ListAction } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import type { PageOptions } from '../../context/pageOptions.ts';
import { viewOf } from '../../context/pageView.ts';
import type { ModelPage, PageRequest } from '../../context/pageRequest.ts';
import { selecting } from '../../ui/url/listQuery.ts';

/** The buttons that a service adds to a list for the selected rows, as far as the user may use them. */
export async function listActionsFor(
  { may }: PageRequest,
  { name: type }: Model,
  { parts }: Pick<PageOptions, 'parts'>,
): Promise<ListAction[]> {
  const all = parts.listActions.filter(({ on }) => on === type);
  const mine = await Promise.all(all.map((one) => may(one.may, type)));
  return all.filter((_, i) => mine[i]);
}

/** An action on several objects of a list that only this model has. */
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
