import { columnName } from '../sql/columns.ts';
import type { Generic } from '../fields/field.ts';
import type { Model } from '../model.ts';

/**
 * What objects of a model are about: an object of any type. Whoever may not view that is told of it no more than its
 * type and its id, here and in whatever shows these objects, and cannot make anything that is about it: for him it is
 * not there.
 */
export interface About {
  /** Fields that hold its type and its id. */
  type: string;
  id: string;
  /** Further fields that tell of it (its name, what it was like): empty for those who may not view it. */
  tells?: readonly string[];
}

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

/** Whether a column tells of what the objects of a model are about. */
export const tellsAbout = ({ about }: Pick<Model, 'about'>, field: string): boolean =>
  about?.tells?.includes(field) ?? false;
