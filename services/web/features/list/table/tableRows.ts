import type { Json, Model } from '@cadastre/model';
import { type Cell, html, type Html, nothing, type PageView } from '@cadastre/pages';
import { withWayBack } from '../../../ui/url/returnUrl.ts';
import { empty, moment, shown, shownMember, type Showing, tag } from '../../../schema/valueHtml.ts';
import { CUSTOM, titleColumn } from '../../../schema/columns.ts';
import { fieldLabel, titleLabel } from '../../../schema/labels.ts';
import type { Shown } from '../../../context/pageRequest.ts';
import { changed, orderingIn } from '../../../ui/url/listQuery.ts';

/** What the rows and the header of a list depend on. */
export interface Table {
  model: Model;
  columns: readonly string[];
  home: string;
  showing: Showing;
  /** Whether rows can be selected, and whether they link to their form. */
  selects: boolean;
  edits: boolean;
  /** The address to which the form returns; by default, that of the object. */
  back?: string;
  /** Members that a service renders itself. */
  cells: ReadonlyMap<string, Cell>;
  view: PageView;
}

export const columnLabel = (name: string): string =>
  name === 'display' ? fieldLabel('name') : fieldLabel(name.startsWith(CUSTOM) ? name.slice(CUSTOM.length) : name);

function labelOf(name: string, { cells }: Table): string {
  const title = cells.get(name)?.title;
  return title === undefined ? columnLabel(name) : titleLabel(title);
}

/** The rows of a list. Whatever is the same in all rows is prepared once. */
export function rowsOf(all: readonly Shown[], table: Table): Html[] {
  const { model, columns, home, showing, selects, edits, back, cells: own, view } = table;
  const { texts } = showing;
  const title = titleColumn(model);
  const cells = columns.map((name): ((one: Shown) => Html) => {
    const way = own.get(name);
    if (name === title) {
      const isMoment = model.fields[name]?.kind === 'datetime';
      const text = (one: Shown) => String(one[name] ?? '') || one.display;
      return (one) =>
        html`<th scope="row"><a href="${home}${one.id}/">${way?.render(one, view) ?? (isMoment ? moment(text(one)) : text(one))}</a></th>`;
    }
    const begin = html`<td data-label="${labelOf(name, table)}">`;
    const valueIn = cellOf(name, table);
    return (one) => html`${begin}${way?.render(one, view) ?? valueIn(one)}</td>`;
  });
  return all.map((one) => {
    const box = selects
      ? html`<td class="pick"><input type="checkbox" name="pk" value="${one.id}" aria-label="${texts('selectOne', { name: one.display })}"></td>`
      : nothing;
    const edit = edits
      ? html`<td class="row-actions"><a href="${withWayBack(`${home}${one.id}/edit/`, back)}" aria-label="${texts('editOne', { name: one.display })}">${texts('edit')}</a></td>`
      : nothing;
    return html`<tr${stateOf(one)}>${box}${cells.map((cell) => cell(one))}${edit}</tr>`;
  });
}

/** Rows are coloured by the status of their object. */
function stateOf({ status }: Shown): Html {
  const value = typeof status === 'object' && status !== null && 'value' in status ? status['value'] : undefined;
  return typeof value === 'string' ? html` data-state="${value}"` : nothing;
}

/** The function that renders the values of a column. */
function cellOf(name: string, { home, model, showing }: Table): (one: Shown) => Html {
  if (name.startsWith(CUSTOM)) {
    const member = name.slice(CUSTOM.length);
    return (one) => shown((one['custom_fields'] as Record<string, Json> | undefined)?.[member], undefined, showing);
  }
  const field = model.fields[name];
  return (one) => {
    const value = one[name];
    if (name === 'tags' && Array.isArray(value)) return tagsOf(value as { slug?: string }[], home);
    return shownMember(name, value, field, showing);
  };
}

const tagsOf = (tags: readonly { slug?: string }[], home: string): Html =>
  tags.length
    ? html`<span class="tags">${tags.map((one) => html`${tag(one, `${home}?tag=${encodeURIComponent(one.slug ?? '')}`)} `)}</span>`
    : empty;

export interface Head {
  label: string;
  sort: 'ascending' | 'descending' | undefined;
  href: string | undefined;
}

/** The header of a column; it sorts the list if the database can sort by the column. */
export function headOf(name: string, table: Table, query: URLSearchParams): Head {
  const { model, home } = table;
  // The display name of an object is usually its name.
  const by = name === 'display' && model.fields['name'] ? 'name' : name;
  const field = model.fields[by];
  const sortable = by === 'id' || field?.column !== undefined || field?.reverse?.as === 'count';
  const ordering = orderingIn(query);
  const now = ordering === by ? 'ascending' : ordering === `-${by}` ? 'descending' : undefined;
  return {
    label: labelOf(name, table),
    sort: now,
    href: sortable
      ? changed(home, query, {
          ordering: now === 'ascending' ? `-${by}` : by,
          sort: null,
          offset: null,
          page: null,
        })
      : undefined,
  };
}
