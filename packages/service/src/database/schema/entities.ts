import { type Catalogue, columnName, columnsOf, type Column, type Model } from '@cadastre/model';
import { EntitySchema } from '@mikro-orm/core';
import { type Index, indexesOf, replicaIndexesOf } from './indexes.ts';
import { foreignKeyName, uniqueColumnName } from './names.ts';

/** Name of the schema that holds other services' objects. */
export const REPLICA = 'replica';

type Property = Record<string, unknown>;

/** What a service's tables may refer to: the entities by type, and which of them are replicas. */
interface Known {
  entities: Map<string, EntitySchema>;
  own: ReadonlySet<string>;
  replicas: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The entities of a service: its own tables, and the replicas of others' that its declarations ask for. */
export function entitiesFor(catalogue: Catalogue, service: string): EntitySchema[] {
  const own = catalogue.ownedBy(service).filter((model) => model.migrated);
  const known: Known = {
    entities: new Map(),
    own: new Set(own.map((model) => model.name)),
    replicas: catalogue.replicas(service),
  };
  for (const model of own) known.entities.set(model.name, ownEntity(model, known));
  for (const [type, columns] of known.replicas) known.entities.set(type, replicaEntity(catalogue.get(type), columns));
  return [...known.entities.values(), ...(catalogue.keepsAnyObject(service) ? [anyObject()] : [])];
}

function ownEntity(model: Model, known: Known): EntitySchema {
  const references = referencesOf(model, known);
  const columns = columnsOf(model);
  const properties = columns.map((column) => [column.name, references.get(column.name) ?? ownColumn(column)] as const);
  return entity(model.table, model.table, Object.fromEntries(properties), indexesOf(model), {
    uniques: columns
      .filter((column) => column.unique)
      .map((column) => ({ name: uniqueColumnName(model.table, column.name), properties: [column.name] })),
  });
}

/**
 * Single references become foreign keys: to the service's own table, or to the replica, which has an object before
 * anything refers to it.
 */
function referencesOf(model: Model, { entities, own, replicas }: Known): Map<string, Property> {
  const references = new Map<string, Property>();
  for (const [name, field] of Object.entries(model.fields)) {
    if (!field.relation || field.relation.many || !field.column) continue;
    const { to } = field.relation;
    const column = columnName(name, field);
    // Objects that are built from events may refer to an object whose own event has not arrived yet, or which has been
    // deleted; nobody asks for such references before a deletion.
    if ((model.readOnly && !model.part) || (!own.has(to) && !replicas.has(to))) continue;
    references.set(column, {
      kind: 'm:1',
      entity: () => entities.get(to)!,
      fieldName: column,
      columnType: 'bigint',
      nullable: field.column.nullable,
      deleteRule: 'no action',
      updateRule: 'no action',
      foreignKeyName: foreignKeyName(model.table, column),
      index: false,
    });
  }
  return references;
}

function replicaEntity(model: Model, kept: ReadonlySet<string>): EntitySchema {
  const columns = columnsOf(model).filter((column) => kept.has(column.name));
  const properties = columns.map(
    (column) => [column.name, column.name === 'id' ? replicaId : replicaColumn(column)] as const,
  );
  return entity(
    `${REPLICA}_${model.table}`,
    model.table,
    Object.fromEntries(properties),
    replicaIndexesOf(model, kept),
    { schema: REPLICA },
  );
}

/** Every object, of any service, that a reference can point at. */
function anyObject(): EntitySchema {
  const column = (columnType: string): Property => ({ type: 'unknown', columnType });
  const key = (columnType: string): Property => ({ ...column(columnType), primary: true });
  return entity(
    `${REPLICA}_any_object`,
    'any_object',
    {
      type: key('integer'),
      id: key('bigint'),
      version: column('integer'),
      display: column('text'),
      brief: column('jsonb'),
      tags: { ...column('bigint[]'), defaultRaw: "'{}'" },
    },
    [
      {
        name: 'any_object_tags_idx',
        sql: 'create index "any_object_tags_idx" on "replica"."any_object" using gin ("tags")',
      },
    ],
    { schema: REPLICA },
  );
}

const ownId: Property = { type: 'bigint', columnType: 'bigint', primary: true, generated: 'by default as identity' };
const replicaId: Property = { type: 'bigint', columnType: 'bigint', primary: true, autoincrement: false };

const ownColumn = (column: Column): Property =>
  column.name === 'id'
    ? ownId
    : {
        type: 'unknown',
        columnType: column.type,
        nullable: column.nullable,
        ...(column.default === undefined ? {} : { defaultRaw: column.default }),
      };

/** The owning service guarantees the values; a column that was added later is empty until it is filled. */
const replicaColumn = (column: Column): Property => ({
  type: 'unknown',
  columnType: column.type,
  nullable: column.name !== '_version',
});

function entity(
  name: string,
  tableName: string,
  properties: Record<string, Property>,
  indexes: Index[],
  more: Record<string, unknown> = {},
): EntitySchema {
  const options = {
    name,
    tableName,
    properties,
    indexes: indexes.map(({ name: index, sql }) => ({ name: index, expression: sql })),
    ...more,
  };
  return new EntitySchema(options as never) as EntitySchema;
}
