import type { Model } from '@cadastre/model';
import type { Listed, Shown } from '@cadastre/pages';
import { customFieldsOf } from '../../../context/customFields.ts';
import { orNone } from '../../../context/refusals.ts';
import { allColumns, CUSTOM, titleColumn } from '../../../schema/columns.ts';
import type { PageRequest } from '../../../context/pageRequest.ts';
import { changed } from '../../../ui/url/listQuery.ts';
import { columnLabel } from './tableRows.ts';

interface ColumnChoice {
  name: string;
  label: string;
  chosen: boolean;
  /** The column that links to the objects cannot be removed. */
  fixed: boolean;
  first: boolean;
  last: boolean;
}

export interface ColumnsForm {
  columns: ColumnChoice[];
  /** The table configs of this list. */
  configs: { label: string; href: string; here: boolean }[];
  /** Whether the user may add a table config. */
  mayMake: boolean;
}

/** The columns to choose from: first the present ones in their order, then the others by name. */
export async function columnsForm(
  request: PageRequest,
  model: Model,
  chosen: readonly string[],
  home: string,
): Promise<ColumnsForm> {
  const { catalogue, query, may } = request;
  const [custom, configs] = await Promise.all([customFieldsOf(request, model), tableConfigs(request, model)]);
  const labels = new Map(custom.map(({ name, label }) => [`${CUSTOM}${name}`, label]));
  const names = [...allColumns(model).filter((one) => one !== 'custom_fields'), ...labels.keys()];
  const labelOf = (name: string): string => labels.get(name) || columnLabel(name);
  const others = names
    .filter((name) => !chosen.includes(name))
    .sort((a, b) => labelOf(a).localeCompare(labelOf(b), 'en'));
  const title = titleColumn(model);
  return {
    columns: [...chosen, ...others].map((name, i) => ({
      name,
      label: labelOf(name),
      chosen: i < chosen.length,
      fixed: name === title,
      first: i === 0,
      last: i === chosen.length - 1,
    })),
    configs: configs.map(({ id, display }) => ({
      label: display,
      href: changed(home, query, { tableconfig_id: String(id), columns: null }),
      here: query.get('tableconfig_id') === String(id),
    })),
    mayMake: catalogue.has('extras.tableconfig') && (await may('add', 'extras.tableconfig')),
  };
}

async function tableConfigs({ api, catalogue }: PageRequest, model: Model): Promise<Shown[]> {
  if (!catalogue.has('extras.tableconfig')) return [];
  const found = await orNone(
    api.get<Listed<Shown & { object_type: string }>>(
      '/api/extras/table-configs/?usable=true&fields=id,url,display,object_type&limit=500',
    ),
  );
  return found.results.filter(({ object_type }) => object_type === model.name);
}
