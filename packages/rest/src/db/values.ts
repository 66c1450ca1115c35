import {
  arrayItems,
  type Cell,
  type Column,
  columnName,
  type Json,
  type Model,
  type Values,
  withMask,
} from '@cadastre/model';

type Index = ReadonlyMap<string, number>;
type Reader = (cell: Cell) => Json;

const known = new WeakMap<Index, { model: Model; parts: { name: string; at: number; read: Reader }[] }>();

function partsOf(model: Model, index: Index) {
  const found = known.get(index);
  if (found?.model === model) return found.parts;
  const parts = Object.entries(model.fields).flatMap(([name, field]) => {
    const at = field.column && index.get(columnName(name, field));
    return at === undefined ? [] : [{ name, at, read: readerOf(field.column!.type) }];
  });
  known.set(index, { model, parts });
  return parts;
}

/** Stored values of a row by field name, from its cells. `index` says where each column stands. */
export function valuesOf(model: Model, index: Index, cells: Cell[]): Values {
  const values: Values = { id: Number(cells[index.get('id')!]) };
  for (const { name, at, read } of partsOf(model, index)) values[name] = read(cells[at] ?? null);
  return values;
}

const readers = new Map<string, Reader>();

/**
 * How a cell of a type becomes JSON that stores the same value again. Decimals and times stay text, so that nothing is
 * rounded.
 */
export function readerOf(type: string): Reader {
  let reader = readers.get(type);
  if (!reader) {
    const read = readerOfValue(type);
    readers.set(type, (reader = (cell) => (cell === null ? null : read(cell))));
  }
  return reader;
}

function readerOfValue(type: string): (cell: string) => Json {
  if (type.endsWith('[]')) {
    const read = readerOf(type.slice(0, -2));
    return (cell) => arrayItems(cell).map(read);
  }
  if (type === 'bigint' || type === 'integer' || type === 'smallint') return Number;
  if (type === 'boolean') return (cell) => cell === 't' || cell === 'true';
  if (type === 'inet') return withMask;
  if (type === 'jsonb') return (cell) => JSON.parse(cell) as Json;
  return (cell) => cell;
}

/** A cell as JSON that stores the same value again. */
export const storedValue = (type: string, cell: Cell): Json => readerOf(type)(cell);

/** A column in the list that turns JSON into rows: lengths do not matter there. */
export const recordType = (column: Column): string => column.type.replace(/\(.*?\)/, '');

/** Where each column stands in a row. */
export const indexOf = (columns: readonly string[]): Map<string, number> =>
  new Map(columns.map((name, i) => [name, i]));
