import { apiPath, type Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { withWayBack } from '../../ui/url/returnUrl.ts';
import { doneText } from '../list/done.ts';
import { cellsOf, membersFor } from '../list/table/layout.ts';
import { renamedField, usualColumns } from '../../schema/columns.ts';
import { columnLabel, rowsOf, type Table } from '../list/table/tableRows.ts';
import { pluralLabel, singularLabel } from '../../schema/labels.ts';
import { headOf } from './head/head.ts';
import { fillsIn, type Referring, referringTo } from '../../context/referring.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { pager, pageQuery } from '../../ui/url/pager.ts';
import { viewOf } from '../../context/pageView.ts';
import type { ModelPage, Shown } from '../../context/pageRequest.ts';

/** The page for one kind of an object's parts, found by the path of their model; undefined if there is no such kind. */
export function childPage(options: PageOptions, model: Model, name: string): ModelPage | undefined {
  const child = referringTo(options.catalogue, model.name).find((one) => one.child && one.model.path === name);
  return child && pageOfChild(options, child);
}

/** A tab with a list of an object's parts, which has the same actions as the parts' own list. */
const pageOfChild = (options: PageOptions, child: Referring): ModelPage => ({
  methods: ['GET'],
  async answer(request, model, id) {
    const { api, query, texts, may } = request;
    const { model: of, page } = child;
    const about = child.query(id) ?? '';
    const columns = columnsOf(child);
    const cells = cellsOf(options, of);
    const asked = pageQuery(query, request.preferences.perPage);
    asked.set('fields', membersFor(columns, cells));
    const writes = async (action: string): Promise<boolean> =>
      page !== undefined && !of.readOnly && (await may(action, of.name));
    const [object, list, mayAdd, mayEdit, mayDelete] = await Promise.all([
      api.get<Shown>(`${apiPath(model)}${id}/`),
      api.get<Listed<Shown>>(`${apiPath(of)}?${about}&${asked}`),
      writes('add'),
      writes('change'),
      writes('delete'),
    ]);
    const head = await headOf(request, model, object, options);
    const here = `${head.address}${of.path}/`;
    const table: Table = {
      model: of,
      columns,
      home: page ?? '',
      showing: { addresses: options.addresses, catalogue: options.catalogue, texts },
      selects: mayEdit || mayDelete,
      edits: mayEdit,
      back: here,
      cells,
      view: viewOf(request, options.addresses),
    };
    const bulk = (action: string): string => withWayBack(`${page}${action}/?${about}`, here);
    return {
      view: 'child',
      title: object.display,
      data: {
        ...head,
        caption: pluralLabel(of),
        one: singularLabel(of),
        heads: columns.map(columnLabel),
        rows: rowsOf(list.results, table),
        list,
        table,
        all: page && `${page}?${about}`,
        add: mayAdd ? withWayBack(`${page}add/?${fillsIn(model.name, child, id)}`, here) : undefined,
        edit: mayEdit ? bulk('edit') : undefined,
        rename: mayEdit && renamedField(of) !== undefined ? bulk('rename') : undefined,
        remove: mayDelete ? bulk('delete') : undefined,
        done: doneText(query, texts, of),
        pager: pager(list, here, query, request.preferences.perPage),
      },
    };
  },
});

/** The columns of a list, without those that name the object of the page. */
function columnsOf({ model, field }: Referring): string[] {
  const around = new Set([field, ...[model.belongsTo ?? []].flat()]);
  return usualColumns(model).filter(
    (column) => !around.has(column) && column !== model.fields[field]?.generic?.idField,
  );
}
