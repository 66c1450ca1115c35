import { columnName, type Generic, type Model } from '@cadastre/model';
import { type Complaint, type Row, rowsOf, type World } from './world.ts';

/** What a field of a row refers to: type and ids. */
export interface Pointing {
  field: string;
  type: string;
  ids: number[];
  onDelete: 'protect' | 'cascade' | 'setNull';
}

/** Everything that a row refers to, by the declaration of its model. Types that no service has are left out. */
export function pointingsOf(world: Pick<World, 'catalogue'>, model: Model, row: Record<string, unknown>): Pointing[] {
  const { catalogue } = world;
  return Object.entries(model.fields).flatMap(([name, field]): Pointing[] => {
    if (field.generic) {
      const type = row[columnOfField(model, field.generic.typeField)];
      const id = row[columnOfField(model, field.generic.idField)];
      if (typeof type !== 'string' || id === null || id === undefined || !catalogue.has(type)) return [];
      return [{ field: name, type, ids: [Number(id)], onDelete: onDeleteOf(world, model, name, field.generic, type) }];
    }
    if (!field.relation || !field.column || !catalogue.has(field.relation.to)) return [];
    const value = row[columnName(name, field)];
    const ids = value === null || value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(Number);
    return ids.length ? [{ field: name, type: field.relation.to, ids, onDelete: field.relation.onDelete }] : [];
  });
}

const columnOfField = (model: Model, name: string): string => columnName(name, model.fields[name]!);

const onDeleteOf = (
  { catalogue }: Pick<World, 'catalogue'>,
  model: Model,
  field: string,
  { to }: Generic,
  type: string,
): Pointing['onDelete'] =>
  catalogue.incoming(type).find((i) => i.model === model && i.field === field)?.onDelete ??
  (to ? 'protect' : 'setNull');

/**
 * Every reference, in every service, names an object that exists. Records of past events may outlive the objects that
 * they refer to.
 */
export function checkReferences(world: World): Complaint[] {
  const complaints: Complaint[] = [];
  for (const model of world.catalogue.models.values()) {
    if (model.readOnly && !model.part) continue;
    const custom = customFieldsOf(world, model);
    for (const row of rowsOf(world, model.name).values()) {
      for (const { field, type, ids } of [...pointingsOf(world, model, row), ...customPointings(custom, row)]) {
        complaints.push(
          ...ids
            .filter((id) => !rowsOf(world, type).has(id))
            .map((id) => `${model.name} ${row.id} points with ${field} at ${type} ${id}, which is not there`),
        );
      }
    }
  }
  return complaints;
}

/** A custom field whose values are objects. */
interface CustomField {
  name: string;
  type: string;
}

export const customFieldsOf = (world: World, model: Model): CustomField[] =>
  (model.features.has('customFields') ? [...rowsOf(world, 'extras.customfield').values()] : [])
    .filter(
      (row) => typeof row['related_object_type'] === 'string' && (row['object_types'] as string[]).includes(model.name),
    )
    .map((row) => ({ name: String(row['name']), type: String(row['related_object_type']) }));

export function customPointings(fields: readonly CustomField[], row: Row): Omit<Pointing, 'onDelete'>[] {
  const values = (row['custom_fields'] ?? {}) as Record<string, unknown>;
  return fields.map(({ name, type }) => ({
    field: `the custom field ${name}`,
    type,
    ids: [values[name] ?? []].flat().map(Number),
  }));
}
