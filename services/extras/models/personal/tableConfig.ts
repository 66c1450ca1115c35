import {
  boolean,
  description,
  type Feature,
  fails,
  integer,
  list,
  model,
  objectType,
  ref,
  text,
  textOf,
  timestamps,
  typeIdOf,
} from '@cadastre/model';
import { usable } from './usable.ts';

const features: Feature[] = ['changeLogging', 'eventRules', 'cloning', 'timestamps'];

/** Names of columns in order. */
const columnNames = (o: { nullable?: boolean } = {}) =>
  list({
    element: 'varchar(100)',
    optional: o.nullable ?? false,
    nullable: o.nullable ?? false,
    item: (value) => {
      const given = textOf(value);
      if ('errors' in given) return given;
      if ([...given.text].length > 100) return fails('Ensure this field has no more than 100 characters.');
      return given.text.trim() === '' ? fails('This field may not be blank.') : { value: given.text.trim() };
    },
    itemSchema: { type: 'string' },
    child: { type: 'string', required: true, read_only: false },
  });

/** Which columns a table of objects shows, and how it is sorted. */
export const tableConfig = model('extras.tableconfig', {
  path: 'table-configs',
  pages: { groups: { Table: ['object_type', 'table', 'columns', 'ordering'] } },
  label: 'table config',
  ordering: ['weight', 'name'],
  features,
  private: { user: 'user', unless: 'shared' },
  brief: ['name', 'description', 'object_type', 'table'],
  search: ['name', 'description', 'table'],
  display: { columns: ['name'], text: ([name]) => name ?? '' },
  fields: {
    object_type: objectType(),
    table: text({ max: 100 }),
    name: text({ max: 100, natural: true }),
    ...description(),
    user: ref('users.user', { optional: true, onDelete: 'setNull', form: 'id' }),
    weight: integer({ min: 0, max: 32_767, size: 'smallint', default: 1000 }),
    enabled: boolean({ default: true }),
    shared: boolean({ default: true }),
    columns: columnNames(),
    ordering: columnNames({ nullable: true }),
    ...timestamps(),
  },
  filters: { object_type_id: typeIdOf('object_type'), usable: usable() },
});
