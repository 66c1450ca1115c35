import type { Listed } from '@cadastre/pages';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { type Change, CHANGES, recordsHome } from '../changes/changeList.ts';
import { orNothing } from '../../../context/refusals.ts';

/**
 * The parameter with which the page after a deletion says so; its value is the id of the request that deleted the
 * object.
 */
export const deletedParameter = '_deleted';

export interface Deleted {
  text: string;
  /** The change record of the deletion, from which it can be undone. */
  record: string;
  /** All deletions of the request, if there is more than one. */
  all: string | undefined;
  more: number;
}

/** What has just been deleted, and how to undo it. Also removes the parameter from the request's address. */
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
