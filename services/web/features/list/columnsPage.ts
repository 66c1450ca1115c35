import { apiPath, type Model, webPath } from '@cadastre/model';
import { addressWith, lasting, orderingIn } from '../../ui/url/listQuery.ts';
import { orAgain } from './again.ts';
import { validColumns } from './table/layout.ts';
import { keepColumns, tableName } from './table/columnPreferences.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { ModelPage, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** Saves the columns that the user has chosen for a list: as a preference, or under a name that others can use too. */
export const columnsPage = (options: PageOptions): ModelPage => ({
  methods: ['POST'],
  answer: (request, model) => orAgain(request, model, options, 'columns', () => keep(request, model, options)),
});

async function keep(request: PageRequest, model: Model, { catalogue }: PageOptions): Promise<Answer> {
  const { submitted, query, api, user } = request;
  const { fields } = submitted;
  const home = webPath(model)!;
  const back = lasting(query);
  back.delete('columns');
  back.delete('tableconfig_id');
  if (fields.has('_reset')) {
    await keepColumns(request, model, []);
    return { to: addressWith(home, back) };
  }
  const columns = validColumns(model, fields.getAll('columns'));
  const move = fields.get('_move');
  if (move !== null) {
    // Nothing is saved yet: the address describes the list with these columns.
    back.set('columns', moved(columns, move).join(','));
    back.set('_show', 'columns');
    return { to: addressWith(home, back) };
  }
  const name = fields.get('name')?.trim() ?? '';
  if (fields.has('_save_as')) {
    const ordering = orderingIn(query);
    const { body } = await api.ask<{ id: number }>('POST', apiPath(catalogue.get('extras.tableconfig')), {
      body: {
        name,
        object_type: model.name,
        table: tableName(model),
        columns,
        shared: fields.has('shared'),
        user: user.userId,
        ...(ordering ? { ordering: ordering.split(',') } : {}),
      },
    });
    back.set('tableconfig_id', String(body.id));
    return { to: addressWith(home, back) };
  }
  await keepColumns(request, model, columns);
  return { to: addressWith(home, back) };
}

/** The columns with one of them moved towards the start (`-name`) or the end (`+name`). */
function moved(columns: readonly string[], move: string): string[] {
  const from = columns.indexOf(move.slice(1));
  const to = from + (move.startsWith('-') ? -1 : 1);
  if (from < 0 || to < 0 || to >= columns.length) return [...columns];
  const next = [...columns];
  [next[from], next[to]] = [next[to]!, next[from]!];
  return next;
}
