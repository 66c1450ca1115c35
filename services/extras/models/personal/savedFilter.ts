import {
  administrative,
  boolean,
  column,
  description,
  integer,
  isDict,
  json,
  model,
  objectTypes,
  owner,
  ref,
  slug,
  text,
  timestamps,
  typeIdOf,
} from '@cadastre/model';
import { usable } from './usable.ts';

/** Filter parameters under a name, for lists of some types: `?filter=<slug>` stands for them. */
export const savedFilter = model('extras.savedfilter', {
  path: 'saved-filters',
  pages: { columns: ['object_types', 'user', 'weight', 'enabled', 'shared', 'description'] },
  label: 'saved filter',
  ordering: ['weight', 'name'],
  features: administrative,
  private: { user: 'user', unless: 'shared' },
  brief: ['name', 'slug', 'description'],
  search: ['name', 'description'],
  fields: {
    object_types: objectTypes({ filter: false, allowEmpty: false }),
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    ...description(),
    user: ref('users.user', { optional: true, onDelete: 'setNull', form: 'id' }),
    weight: integer({ min: 0, max: 32_767, size: 'smallint', default: 100 }),
    enabled: boolean({ default: true }),
    shared: boolean({ default: true }),
    parameters: json({
      notNull: true,
      dictionary: true,
      check: (value) => {
        if (!isDict(value)) return ['Filter parameters must be stored as a dictionary of keyword arguments.'];
        return Object.keys(value).length ? [] : ['This field cannot be blank.'];
      },
    }),
    ...owner(),
    ...timestamps(),
  },
  filters: {
    object_type_id: typeIdOf('object_types'),
    object_type: column('object_types', 'objectTypes'),
    usable: usable(),
  },
});
