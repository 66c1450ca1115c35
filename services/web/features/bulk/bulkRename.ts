import { HttpError } from '@cadastre/service/errors';
import { again, bulkOf, messageIn, NAMED, sendAll } from './bulk.ts';
import { doneAddress } from '../list/done.ts';
import { renaming } from './rename.ts';
import { renamedField } from '../../schema/columns.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { ModelPage } from '../../context/pageRequest.ts';

/** Finds and replaces in the names of several objects, after a preview of the new names. */
export const bulkRenamePage = ({ bulk: most }: PageOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(request, model) {
    const field = renamedField(model);
    if (field === undefined) throw new HttpError(404, { detail: 'There is no such page.' });
    const bulk = await bulkOf(request, model, [field], most);
    if ('to' in bulk) return bulk;
    const { selection, home, apply, data } = bulk;
    const { objects } = selection;
    const { fields } = request.submitted;
    const [find, replace, regex] = [fields.get('find') ?? '', fields.get('replace') ?? '', fields.has('use_regex')];
    const made = renaming(find, replace, regex);
    const problem = 'problem' in made ? made.problem : '';
    const changes =
      'problem' in made
        ? []
        : objects.flatMap((object) => {
            const before = String(object[field] ?? '');
            const after = made(before);
            return after === before ? [] : [{ object, before, after }];
          });
    const title = request.texts('bulkRenameTitle', { count: objects.length, label: String(data['label']) });
    const shown = {
      ...data,
      find,
      replace,
      regex,
      problem,
      tried: find !== '' && !problem,
      changed: changes.length,
      changes: changes.slice(0, NAMED).map(({ object, before, after }) => ({
        before,
        after,
        href: `${home}${object.id}/`,
        empty: after.trim() === '',
      })),
      moreChanges: Math.max(0, changes.length - NAMED),
    };
    if (!apply || !changes.length) return again('bulk-rename', title, shown);
    const message = messageIn(request);
    const items = changes.map(({ object, after }) => ({ id: object.id, [field]: after, ...message }));
    const problems = await sendAll(
      request,
      model,
      'PATCH',
      items,
      changes.map(({ object }) => object),
      most,
      false,
    );
    return problems
      ? again('bulk-rename', title, shown, problems)
      : { to: doneAddress(home, request.query, 'renamed', changes.length) };
  },
});
