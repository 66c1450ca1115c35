import { columnName } from '../sql/columns.ts';
import type { About, Model } from '../types/model.ts';
import type { Generic } from '../types/relation.ts';

/** Whether a generic field shows what the objects of its model are about. */
export const showsAbout = (
  { about }: Pick<Model, 'about'>,
  { typeField, idField }: Pick<Generic, 'typeField' | 'idField'>,
): boolean => about?.type === typeField && about.id === idField;

/** The columns that hold what the objects of a model are about. */
export const aboutColumns = ({ fields }: Pick<Model, 'fields'>, { type, id }: About): { type: string; id: string } => ({
  type: columnName(type, fields[type]!),
  id: columnName(id, fields[id]!),
});

/** Whether a field reveals something of the object that the objects of a model are about (`tells`). */
export const tellsAbout = ({ about }: Pick<Model, 'about'>, field: string): boolean =>
  about?.tells?.includes(field) ?? false;
