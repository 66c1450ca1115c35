import type { Json } from '@cadastre/model';
import { stringify } from 'csv-stringify/sync';
import { CUSTOM } from '../../../schema/columns.ts';
import type { Shown } from '../../../context/pageRequest.ts';
import { type Cells, quoted } from './cells.ts';
import { escapeFormula } from '../../import/reading/formula.ts';

/** Members that a table leaves out: addresses, and custom fields, which have columns of their own. */
const LEFT_OUT = new Set(['url', 'display_url', 'custom_fields']);

/** The columns of a table of complete objects: their members, and one column for each custom field. */
export function columnsOf(object: Shown | undefined, { more = [], less }: Partial<Cells> = {}): string[] {
  if (!object) return ['id'];
  const custom = Object.keys((object['custom_fields'] ?? {}) as object);
  return [
    ...Object.keys(object).filter((name) => !LEFT_OUT.has(name) && !less?.has(name)),
    ...more.filter((name) => !(name in object)),
    ...custom.map((name) => `${CUSTOM}${name}`),
  ];
}

/** A line of a table; without an object, the header. */
export function csvLine(columns: readonly string[], object: Shown | undefined, cells?: Cells): string {
  const custom = (object?.['custom_fields'] ?? {}) as Record<string, Json>;
  return stringify([
    columns.map((name) =>
      object === undefined
        ? escapeFormula(name)
        : escapeFormula(
            cells?.text(name, object) ??
              text(name.startsWith(CUSTOM) ? custom[name.slice(CUSTOM.length)] : object[name]),
          ),
    ),
  ]);
}

/** The text of a cell: objects by their names, choices by their values. */
function text(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => quoted(text(one))).join(',');
  if (typeof value !== 'object') return String(value);
  if ('value' in value && 'label' in value) return text(value['value']);
  const name = value['slug'] ?? value['name'] ?? value['display'];
  return typeof name === 'string' ? name : JSON.stringify(value);
}
