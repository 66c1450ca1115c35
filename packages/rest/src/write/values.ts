import { arrayItems, type Cell, columnName, type Json, type Model, type Values, withMask } from '@cadastre/model';

/** Stored values of a row by field name, from its cells. `index` says where each column stands. */
export function valuesOf(model: Model, index: ReadonlyMap<string, number>, cells: Cell[]): Values {
  const values: Values = { id: Number(cells[index.get('id')!]) };
  for (const [name, field] of Object.entries(model.fields)) {
    const at = field.column && index.get(columnName(name, field));
    if (at !== undefined && field.column) values[name] = storedValue(field.column.type, cells[at] ?? null);
  }
  return values;
}

/** A cell as JSON that stores the same value again. Decimals and times stay text, so that nothing is rounded. */
export function storedValue(type: string, cell: Cell): Json {
  if (cell === null) return null;
  if (type.endsWith('[]')) {
    const item = type.slice(0, -2);
    return arrayItems(cell).map((text) => storedValue(item, text));
  }
  if (type === 'bigint' || type === 'integer' || type === 'smallint') return Number(cell);
  if (type === 'boolean') return cell === 't' || cell === 'true';
  if (type === 'inet') return withMask(cell);
  if (type === 'jsonb') return JSON.parse(cell) as Json;
  return cell;
}

/** Where each column stands in a row. */
export const indexOf = (columns: readonly string[]): Map<string, number> => new Map(columns.map((name, i) => [name, i]));
