import type { Json, Model } from '@cadastre/model';
import { configPath } from '../../../client/userConfig.ts';
import type { PageRequest } from '../../../context/pageRequest.ts';

/** The reference's name for the table of a list: `DeviceTable`. */
export const tableName = ({ className }: Pick<Model, 'className'>): string => `${className}Table`;

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;

/** The columns that the user has chosen for a list, in order; empty if the user has not chosen any. */
export function chosenColumns({ config }: Pick<PageRequest, 'config'>, model: Pick<Model, 'className'>): string[] {
  const columns = memberOf(memberOf(config['tables'], tableName(model)), 'columns');
  return Array.isArray(columns) ? columns.filter((one) => typeof one === 'string') : [];
}

/** Saves them as the user's preference; an empty list restores the defaults. */
export const keepColumns = async ({ api }: PageRequest, model: Model, columns: readonly string[]): Promise<void> => {
  await api.ask('PATCH', configPath, { body: { tables: { [tableName(model)]: { columns } } } });
};
