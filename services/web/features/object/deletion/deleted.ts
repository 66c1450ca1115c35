import type { Listed } from '@cadastre/pages';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { type Change, CHANGES, recordsHome } from '../changes/changeList.ts';
import { orNothing } from '../../../context/refusals.ts';

/** A page that is opened after a deletion says so: the parameter names the request that has deleted. */
export const deletedParameter = '_deleted';

export interface Deleted {
  text: string;
  /** The record of the deletion, which leads back. */
  record: string;
  /** Everything that the request has changed, if that is more. */
  all: string | undefined;
  more: number;
}

/** What has just been deleted, and the way to undo it. Also takes the parameter out of the request's address. */
export async function justDeleted(
  request: Pick<PageRequest, 'api' | 'catalogue' | 'query' | 'may'>,
): Promise<Deleted | undefined> {
  const requestId = request.query.get(deletedParameter);
  request.query.delete(deletedParameter);
  if (!requestId || !/^[\da-f-]{36}$/i.test(requestId) || !(await request.may('view', 'core.objectchange')))
    return undefined;
  const query = `request_id=${requestId}&action=delete`;
  const list = await orNothing(
    request.api.get<Listed<Change & Shown>>(`${CHANGES}?${query}&limit=1&fields=id,object_repr,changed_object_id`),
  );
  const [first] = list?.results ?? [];
  if (!list || !first) return undefined;
  const home = recordsHome(request);
  return {
    text: first.object_repr || `#${first.changed_object_id}`,
    record: `${home}${first.id}/`,
    all: list.count > 1 ? `${home}?${query}` : undefined,
    more: list.count - 1,
  };
}
