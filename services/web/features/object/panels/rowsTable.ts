import { type Json, webPath } from '@cadastre/model';
import { html, type Html } from '@cadastre/pages';
import { empty } from '../../../schema/valueHtml.ts';
import { namesOf, typeIn } from '../../form/fields/rowFields.ts';
import { type Row, rowsHeld } from '../../form/fields/rows.ts';
import type { Widget } from '../../../schema/widget.ts';
import type { PageRequest } from '../../../context/pageRequest.ts';

/** The rows of a field as a table, with one request for each type that they refer to; undefined without rows. */
export async function rowsTable(
  request: PageRequest,
  widget: Widget,
  value: Json | undefined,
): Promise<Html | undefined> {
  const { columns, helps } = widget.rows!;
  const rows = rowsHeld(widget, value);
  if (!rows.length) return undefined;
  const names = await namesOf(request, widget.rows!, rows, value);
  // The column with the type is left out, as the object's link makes the type clear.
  const types = new Set(columns.map(({ ofField }) => ofField));
  const shown = columns.filter(({ name }) => !types.has(name));
  const cell = (column: Widget, row: Row): Html => {
    const text = row[column.name]?.[0];
    if (text === undefined || text === '') return empty;
    const type = column.kind === 'picker' ? typeIn(column, row) : undefined;
    const model = type === undefined ? undefined : request.catalogue.models.get(type);
    const page = model && webPath(model);
    const choice = column.choices.find((one) => String(one.value) === text)?.label;
    if (!model) return html`${choice ?? text}`;
    const name = names.get(`${model.name} ${text}`) ?? `#${text}`;
    return page ? html`<a href="${page}${text}/">${name}</a>` : html`${name}`;
  };
  const heads = shown.map((one) => html`<th scope="col">${one.label}</th>`);
  const lines = rows.map((row) => {
    const isEmpty = (name: string) => name === helps && !row[name]?.[0];
    return html`<tr>${shown.map((one) => html`<td>${isEmpty(one.name) ? empty : cell(one, row)}</td>`)}</tr>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${widget.label}"><table class="list"><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}
