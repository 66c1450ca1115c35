import {
  administrative,
  boolean,
  choice,
  choices,
  column,
  integer,
  model,
  objectTypes,
  owner,
  text,
  timestamps,
  typeIdOf,
} from '@cadastre/model';
import { choiceColors } from './customFieldChoices.ts';
import { typesWith } from '../typesWith.ts';

export const buttonClasses = [
  ...choices([['default', 'Default']]),
  ...choiceColors,
  ...choices([['ghost-dark', 'Link']]),
];

/** A link that is shown with every object of some types; its text and address are templates. */
export const customLink = model('extras.customlink', {
  path: 'custom-links',
  pages: {
    columns: ['object_types', 'enabled', 'group_name', 'button_class', 'weight', 'new_window'],
    groups: { Link: ['link_text', 'link_url'], Appearance: ['group_name', 'button_class', 'weight', 'new_window'] },
  },
  label: 'custom link',
  ordering: ['group_name', 'weight', 'name'],
  features: administrative,
  brief: ['name'],
  search: ['name', 'link_text', 'link_url', 'group_name'],
  fields: {
    object_types: objectTypes({ filter: false, allowEmpty: false }),
    name: text({ max: 100, unique: true, natural: true }),
    enabled: boolean({ default: true }),
    link_text: text(),
    link_url: text(),
    weight: integer({ min: 0, max: 32_767, size: 'smallint', default: 100 }),
    group_name: text({ max: 50, optional: true }),
    button_class: choice(buttonClasses, { default: 'default', max: 30, plain: true, one: true }),
    new_window: boolean(),
    ...owner(),
    ...timestamps(),
  },
  filters: { object_type_id: typeIdOf('object_types'), object_type: column('object_types', 'objectTypes') },
  rules: [typesWith('customLinks')],
});
