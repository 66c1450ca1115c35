import { isDict, type Json } from '@cadastre/model';
import type { Rows, Widget } from '../../../schema/widget.ts';
import { givenValue, textsOf, type Value } from './values.ts';

/** A row of a form: the texts by column. */
export type Row = Readonly<Record<string, readonly string[]>>;

/** The name of a row's field: `rear_ports.0.position`. */
export const cellName = (field: string, row: number | string, column: string): string => `${field}.${row}.${column}`;

/** Buttons that show the form again with one more row, or with one row less. */
export const ADD_ROW = '_row';
export const DROP_ROW = '_drop';

/** The submitted rows of a field, without empty ones. */
export function rowsGiven({ name, rows }: Widget, fields: URLSearchParams): Row[] {
  const found = new Map<number, Record<string, string[]>>();
  for (const key of new Set(fields.keys())) {
    if (!key.startsWith(`${name}.`)) continue;
    const [, row, column] = /^(\d{1,5})\.(\w+)$/.exec(key.slice(name.length + 1)) ?? [];
    if (row === undefined || column === undefined) continue;
    const one = found.get(Number(row)) ?? {};
    one[column] = fields.getAll(key);
    found.set(Number(row), one);
  }
  const dropped = fields.get(DROP_ROW);
  return [...found]
    .toSorted(([a], [b]) => a - b)
    .filter(([row]) => dropped !== `${name}.${row}`)
    .map(([, one]) => one)
    .filter((one) => rows!.columns.some((column) => column.name !== rows!.helps && tells(column, one[column.name])));
}

/** Whether a column has a value that a user has entered, not one that every row has initially. */
const tells = ({ kind, initial }: Widget, texts: readonly string[] = []): boolean =>
  kind !== 'checkbox' && initial === undefined && texts.some((text) => text.trim() !== '');

/**
 * The rows that an address asks for, in the format of the reference's bookmarks: the ids of objects, and also their
 * type if several types are possible (`a_terminations_type=dcim.interface&a_terminations=7`).
 */
export function rowsAsked({ name, rows }: Widget, query: URLSearchParams): { rows: Row[]; more: boolean } | undefined {
  const picker = rows!.columns.find(({ kind, name: column }) => kind === 'picker' && column !== rows!.helps);
  const ids = query.getAll(name);
  if (!picker || !ids.length) return undefined;
  const type = picker.ofField ? { [picker.ofField]: [query.get(`${name}_type`) ?? ''] } : {};
  return { rows: ids.map((id) => ({ ...type, [picker.name]: [id] })), more: false };
}

/** The rows of an object's field. */
export function rowsHeld({ rows }: Widget, value: Json | undefined): Row[] {
  const { as, columns } = rows!;
  const row = (values: (column: Widget, at: number) => Json | undefined): Row =>
    Object.fromEntries(columns.map((column, at) => [column.name, textsOf(column, values(column, at))]));
  switch (as) {
    case 'dictionaries':
      return (Array.isArray(value) ? value : []).map((one) => row((column) => memberOf(one, column, rows!)));
    case 'lists':
      return (Array.isArray(value) ? value : []).map((one) =>
        row((_, at) => (Array.isArray(one) ? one[at] : undefined)),
      );
    case 'dictionary':
      return Object.entries(isDict(value) ? value : {}).map((entry) => row((_, at) => entry[at]));
    case 'secrets':
      return Object.keys(isDict(value) ? value : {}).map((name) => row((_, at) => (at ? undefined : name)));
  }
}

/** The value of a column; the column that only helps to find an object has the object's container. */
export function memberOf(row: Json | undefined, { name, shownBy }: Widget, { columns, helps }: Rows): Json | undefined {
  if (!isDict(row)) return undefined;
  if (name !== helps) return row[name];
  const object = row[columns.find(({ ofField }) => ofField)?.shownBy ?? ''];
  return isDict(object) ? object[shownBy ?? ''] : undefined;
}

/** The value of rows for the API, or the problem with them. `held` is the present value of the object's field. */
export function rowsValue({ rows }: Widget, all: readonly Row[], held: Json | undefined): Value {
  const { as, columns, helps } = rows!;
  const written = columns.filter(({ name }) => name !== helps);
  const values: Record<string, Json>[] = [];
  for (const row of all) {
    const one: Record<string, Json> = {};
    for (const column of written) {
      const value = givenValue(column, row[column.name] ?? []);
      if (value === undefined) continue;
      if ('problem' in value) return value;
      if (value.value !== '' && value.value !== null) one[column.name] = value.value;
    }
    values.push(one);
  }
  const [first, second] = written.map(({ name }) => name) as [string, string];
  switch (as) {
    case 'dictionaries':
      return { value: values };
    case 'lists':
      // A pair with only one value uses it for both.
      return { value: values.map((one) => [one[first] ?? one[second] ?? '', one[second] ?? one[first] ?? '']) };
    case 'dictionary':
      return { value: Object.fromEntries(values.map((one) => [String(one[first] ?? ''), one[second] ?? ''])) };
    case 'secrets': {
      // A secret that was not typed again is kept; a row that is missing is removed.
      const before = isDict(held) ? held : {};
      const gone = Object.keys(before).map((name): [string, Json] => [name, null]);
      return {
        value: Object.fromEntries([
          ...gone,
          ...values.map((one): [string, Json] => {
            const name = String(one[first] ?? '');
            return [name, one[second] ?? before[name] ?? ''];
          }),
        ]),
      };
    }
  }
}
