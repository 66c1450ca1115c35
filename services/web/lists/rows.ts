import type { Json, Model } from '@cadastre/model';
import { type Cell, html, type Html, nothing, type PageView } from '@cadastre/pages';
import { withWayBack } from '../back.ts';
import { empty, shown, type Showing, tag } from '../cells.ts';
import { CUSTOM, titleColumn } from '../model/columns.ts';
import { fieldLabel } from '../model/labels.ts';
import type { Shown } from '../visit.ts';
import { changed, orderingIn } from './address.ts';

/** A list as its rows and heads need to know it. */
export interface Table {
  model: Model;
  columns: readonly string[];
  home: string;
  showing: Showing;
  /** Whether rows can be selected, and lead to their form. */
  selects: boolean;
  edits: boolean;
  /** Where the form leads back to; without it to the object. */
  back?: string;
  /** Members that are shown in a way of their own. */
  cells: ReadonlyMap<string, Cell>;
  view: PageView;
}

export const columnLabel = (name: string): string =>
  name === 'display' ? fieldLabel('name') : fieldLabel(name.startsWith(CUSTOM) ? name.slice(CUSTOM.length) : name);

const labelOf = (name: string, { cells }: Table): string => cells.get(name)?.title ?? columnLabel(name);

export function rowOf(one: Shown, table: Table): Html {
  const { model, columns, home, showing, selects, edits, back, cells: own, view } = table;
  const title = titleColumn(model);
  const { texts } = showing;
  const cells = columns.map((name) => {
    const shownSo = own.get(name)?.render(one, view);
    return name === title
      ? html`<th scope="row"><a href="${home}${one.id}/">${shownSo ?? (String(one[name] ?? '') || one.display)}</a></th>`
      : html`<td data-label="${labelOf(name, table)}">${shownSo ?? cellOf(one, name, home, model, showing)}</td>`;
  });
  const box = selects
    ? html`<td class="pick"><input type="checkbox" name="pk" value="${one.id}" aria-label="${texts('selectOne', { name: one.display })}"></td>`
    : nothing;
  const edit = edits
    ? html`<td class="row-actions"><a href="${withWayBack(`${home}${one.id}/edit/`, back)}" aria-label="${texts('editOne', { name: one.display })}">${texts('edit')}</a></td>`
    : nothing;
  return html`<tr${stateOf(one)}>${box}${cells}${edit}</tr>`;
}

/** The state of an object colours its row. */
function stateOf({ status }: Shown): Html {
  const value = typeof status === 'object' && status !== null && 'value' in status ? status['value'] : undefined;
  return typeof value === 'string' ? html` data-state="${value}"` : nothing;
}

function cellOf(one: Shown, name: string, home: string, model: Model, showing: Showing): Html {
  if (name.startsWith(CUSTOM)) {
    const values = one['custom_fields'] as Record<string, Json> | undefined;
    return shown(values?.[name.slice(CUSTOM.length)], undefined, showing);
  }
  const value = one[name];
  if (name === 'tags' && Array.isArray(value))
    return value.length
      ? html`<span class="tags">${value.map((each) => html`${tag(each as { slug?: string }, `${home}?tag=${encodeURIComponent(String((each as { slug?: string }).slug ?? ''))}`)} `)}</span>`
      : empty;
  const percent = name === 'utilization' ? Number.parseFloat(String(value)) : Number.NaN;
  return Number.isNaN(percent) ? shown(value, model.fields[name], showing) : bar(percent);
}

/** How much of something is in use. */
function bar(percent: number): Html {
  const width = Math.max(0, Math.min(100, percent));
  const state = percent >= 90 ? 'full' : percent >= 75 ? 'busy' : 'free';
  return html`<span class="bar ${state}"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="ground" width="100" height="8"/><rect class="part" width="${width}" height="8"/></svg> ${Math.round(percent * 10) / 10} %</span>`;
}

export interface Head {
  label: string;
  sort: 'ascending' | 'descending' | undefined;
  href: string | undefined;
}

/** The head of a column: by those that the database can sort by, the list is sorted. */
export function headOf(name: string, table: Table, query: URLSearchParams): Head {
  const { model, home } = table;
  // What stands for an object is mostly its name.
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
