import { again, bulkOf, messageIn, sendAll } from './bulk.ts';
import { consequencesOf } from '../object/deletion/consequences.ts';
import { doneAddress } from '../list/done.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { ModelPage } from '../../context/pageRequest.ts';

/** Asks once more, with the names, and deletes several objects. */
export const bulkDeletePage = ({ bulk: most, addresses }: PageOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(request, model) {
    const bulk = await bulkOf(request, model, [], most);
    if ('to' in bulk) return bulk;
    const { selection, home, apply, data } = bulk;
    const { objects } = selection;
    const title = request.texts('bulkDeleteTitle', { count: objects.length, label: String(data['label']) });
    if (!apply) {
      // With several portions, the consequences are computed for the first one only: a request takes no more objects.
      const first = objects.slice(0, most.items).map(({ id }) => id);
      const found = await consequencesOf(request, addresses, model, first);
      return again('bulk-delete', title, {
        ...data,
        found,
        foreseen: first.length < objects.length ? first.length : undefined,
      });
    }
    const message = messageIn(request);
    const items = objects.map(({ id }) => ({ id, ...message }));
    const problems = await sendAll(request, model, 'DELETE', items, objects, most);
    return problems
      ? again('bulk-delete', title, data, problems)
      : { to: doneAddress(home, request.query, 'deleted', objects.length) };
  },
});
