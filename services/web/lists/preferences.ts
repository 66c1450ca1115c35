import type { Json, Model } from '@cadastre/model';
import type { Visit } from '../visit.ts';

/** The preferences of a user, kept by the API under the names that the reference gives them. */
const CONFIG = '/api/users/config/';

interface Preferences {
  tables?: Record<string, { columns?: Json } | undefined>;
}

/** What the reference calls the table of a list: `DeviceTable`. */
export const tableName = ({ className }: Pick<Model, 'className'>): string => `${className}Table`;

/** The columns that somebody has chosen for a list, in their order; none where they have not. */
export async function chosenColumns({ api }: Visit, model: Model): Promise<string[]> {
  const { tables } = await api.get<Preferences>(CONFIG);
  const columns = tables?.[tableName(model)]?.columns;
  return Array.isArray(columns) ? columns.filter((one) => typeof one === 'string') : [];
}

/** Keeps them for the user; none means those that everybody begins with. */
export const keepColumns = async ({ api }: Visit, model: Model, columns: readonly string[]): Promise<void> => {
  await api.ask('PATCH', CONFIG, { body: { tables: { [tableName(model)]: { columns } } } });
};
