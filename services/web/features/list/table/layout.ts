import type { Model } from '@cadastre/model';
import type { Cell } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { allColumns, CUSTOM, titleColumn, usualColumns } from '../../../schema/columns.ts';
import type { PageOptions } from '../../../context/pageOptions.ts';
import type { PageRequest } from '../../../context/pageRequest.ts';
import { chosenColumns } from './columnPreferences.ts';

/** The columns of a list and, if a table config sets it, its order. */
export interface Layout {
  columns: readonly string[];
  ordering: string | undefined;
}

interface TableConfig {
  columns: string[];
  ordering: string[] | null;
  object_type: string;
}

/**
 * The layout of the list: from the address, from the table config that the address names, or from the user's
 * preferences.
 */
export async function layoutOf(request: PageRequest, model: Model): Promise<Layout> {
  const { query } = request;
  const asked = query.get('columns');
  const config = query.get('tableconfig_id');
  if (asked !== null) return { columns: validColumns(model, asked.split(',')), ordering: undefined };
  const named = config !== null && /^\d{1,15}$/.test(config) ? await tableConfig(request, model, config) : undefined;
  if (named) return { columns: validColumns(model, named.columns), ordering: named.ordering?.join(',') || undefined };
  return { columns: validColumns(model, chosenColumns(request, model)), ordering: undefined };
}

/**
 * The valid column names among these, or the defaults if there are none; the column that links to the objects is added
 * if it is missing.
 */
export function validColumns(model: Model, names: readonly string[]): readonly string[] {
  const all = new Set(allColumns(model));
  const custom = model.features.has('customFields');
  const wanted = [...new Set(names.map((name) => (name === 'pk' ? '' : name.trim())))].filter(
    (name) => all.has(name) || (custom && name.startsWith(CUSTOM)),
  );
  if (!wanted.length) return usualColumns(model);
  const title = titleColumn(model);
  return wanted.includes(title) ? wanted : [title, ...wanted];
}

async function tableConfig({ api }: PageRequest, model: Model, id: string): Promise<TableConfig | undefined> {
  try {
    const found = await api.get<TableConfig>(`/api/extras/table-configs/${id}/`);
    return found.object_type === model.name ? found : undefined;
  } catch (error) {
    if (error instanceof HttpError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

/** The members of a model that its service renders itself. */
export const cellsOf = ({ parts }: Pick<PageOptions, 'parts'>, { name }: Model): ReadonlyMap<string, Cell> =>
  new Map(parts.cells.flatMap((one) => (one.on === name ? [[one.name, one]] : [])));

/** The members to request from the API for the columns, with those that are shown in the same cells. */
export const membersFor = (
  columns: readonly string[],
  beside: ReadonlyMap<string, Pick<Cell, 'shows'>> = new Map(),
): string =>
  [
    ...new Set([
      'id',
      'url',
      'display',
      ...columns.map((name) => (name.startsWith(CUSTOM) ? 'custom_fields' : name)),
      ...columns.flatMap((name) => beside.get(name)?.shows ?? []),
    ]),
  ].join(',');
