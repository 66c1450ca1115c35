import { apiPath, isDict, type Json } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import type { Rows, Widget } from '../../../schema/widget.ts';
import { orNothing } from '../../../context/refusals.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { fieldOf, type Filled, type FormField, type RowFields } from './field.ts';
import { cellName, memberOf, type Row, rowsHeld } from './rows.ts';

/** Stands for the row's number in the template from which a script makes new rows. */
const PATTERN = '__';

/** The rows of a field, and an empty row as a template for new ones. */
export async function rowFields(
  request: PageRequest,
  around: readonly Widget[],
  widget: Widget & { rows: Rows },
  filled: Filled,
): Promise<{ rows: RowFields[]; blank: FormField[]; texts: string[] }> {
  const value = filled.object?.[widget.name];
  const given = filled.rows?.(widget);
  const rows = given?.rows ?? rowsHeld(widget, value);
  const names = await namesOf(request, widget.rows, rows, value);
  const make = async (row: Row, at: number | string): Promise<FormField[]> => {
    const columns = widget.rows.columns.map((one) => inRow(one, widget, at));
    const texts = new Map(columns.map(({ name }, i) => [name, [...(row[widget.rows.columns[i]!.name] ?? [])]]));
    const within: Filled = {
      ...filled,
      given: (name) => texts.get(name) ?? filled.given(name),
      object: { ...filled.object, ...namedIn(widget.rows, columns, row, names) },
    };
    const among = [...columns, ...around];
    return Promise.all(columns.map((column) => fieldOf(request, among, column, within)));
  };
  const empty: Row = Object.fromEntries(
    widget.rows.columns.map(({ name, initial }) => [name, initial === undefined ? [] : [String(initial)]]),
  );
  // At least one row is shown.
  const shown = rows.length && !given?.more ? rows : [...rows, empty];
  const [blank, ...made] = await Promise.all([make(empty, PATTERN), ...shown.map(make)]);
  return {
    rows: made.map((cells, at) => ({ name: `${widget.name}.${at}`, cells })),
    blank: blank!,
    texts: made.slice(0, rows.length).map(asText),
  };
}

/** A row in one line. */
const asText = (cells: readonly FormField[]): string =>
  cells.flatMap(({ values, options }) => options.find(({ chosen }) => chosen)?.label ?? values[0] ?? []).join(' ');

/**
 * A column as the field of one row: fields that it refers to are in the same row if they are columns, else in the form.
 */
function inRow(column: Widget, { name, rows }: Widget, at: number | string): Widget {
  const isColumn = new Set(rows!.columns.map((one) => one.name));
  const here = (other: string): string => (isColumn.has(other) ? cellName(name, at, other) : other);
  return {
    ...column,
    name: here(column.name),
    ...(column.ofField ? { ofField: here(column.ofField), shownBy: cellName(name, at, `${column.name}_shown`) } : {}),
    ...(column.narrowed
      ? { narrowed: Object.fromEntries(Object.entries(column.narrowed).map(([filter, one]) => [filter, here(one)])) }
      : {}),
  };
}

type Names = ReadonlyMap<string, string>;

export const typeIn = ({ of, ofField }: Widget, row: Row): string | undefined => (ofField ? row[ofField]?.[0] : of);

/** The objects of a row with their display names, in the form in which the API shows objects. */
function namedIn(rows: Rows, columns: readonly Widget[], row: Row, names: Names): Record<string, Json> {
  return Object.fromEntries(
    columns.flatMap((column, i): [string, Json][] => {
      const own = rows.columns[i]!;
      const type = typeIn(own, row);
      const id = row[own.name]?.[0];
      const display = names.get(`${type} ${id}`);
      if (type === undefined || display === undefined) return [];
      const object = { id: Number(id), display };
      return column.ofField
        ? [
            [column.ofField, type],
            [column.shownBy!, object],
          ]
        : [[column.name, object]];
    }),
  );
}

/** The names of all objects in rows: those that came with the rows; for the others, one request for each type. */
export async function namesOf(
  request: PageRequest,
  rows: Rows,
  all: readonly Row[],
  value: Json | undefined,
): Promise<Names> {
  const { api, catalogue } = request;
  const names = new Map<string, string>();
  const pickers = rows.columns.filter(({ kind }) => kind === 'picker');
  for (const one of Array.isArray(value) ? value : [])
    for (const column of pickers) {
      const object = column.ofField && isDict(one) ? one[column.shownBy!] : memberOf(one, column, rows);
      const type = column.ofField && isDict(one) ? one[column.ofField] : column.of;
      if (isDict(object)) names.set(`${String(type)} ${String(object['id'])}`, String(object['display']));
    }
  const missing = new Map<string, Set<string>>();
  for (const row of all)
    for (const column of pickers) {
      const type = typeIn(column, row);
      const id = row[column.name]?.[0] ?? '';
      if (!type || !catalogue.has(type) || !/^\d{1,15}$/.test(id) || names.has(`${type} ${id}`)) continue;
      missing.set(type, (missing.get(type) ?? new Set()).add(id));
    }
  await Promise.all(
    [...missing].map(async ([type, ids]) => {
      const query = [...ids].map((id) => `id=${id}`).join('&');
      const path = `${apiPath(catalogue.get(type))}?${query}&brief=true&limit=${ids.size}`;
      for (const { id, display } of (await orNothing(api.get<Listed<Shown>>(path)))?.results ?? [])
        names.set(`${type} ${id}`, display);
    }),
  );
  return names;
}
