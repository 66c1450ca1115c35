import {
  administrative,
  boolean,
  type Cell,
  choice,
  column,
  comments,
  computed,
  decimal,
  description,
  integer,
  json,
  model,
  objectType,
  objectTypes,
  owner,
  ref,
  text,
  timestamps,
  typeIdOf,
} from '@cadastre/model';
import { customFieldTypes, filterLogic, uiEditable, uiVisible } from './customFieldChoices.ts';
import { isJsonSchema } from '../jsonSchema.ts';
import * as rule from './customFieldRules.ts';
import { typesWith } from '../typesWith.ts';

const JSON_TYPES: Record<string, string> = {
  integer: 'integer',
  decimal: 'decimal',
  boolean: 'boolean',
  json: 'object',
  object: 'object',
  multiselect: 'array',
  multiobject: 'array',
};
const jsonType = ([type]: Cell[]): string => JSON.stringify(JSON_TYPES[type ?? ''] ?? 'string');

/** `cost_center` → `Cost center` */
function labelOf([label, name]: Cell[]): string {
  if (label) return label;
  const words = (name ?? '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** A field that administrators add to objects of some types. */
export const customField = model('extras.customfield', {
  path: 'custom-fields',
  pages: {
    columns: ['object_types', 'type', 'label', 'group_name', 'required', 'unique', 'description'],
    groups: {
      'Related object': ['related_object_type', 'related_object_filter'],
      Behaviour: [
        'required',
        'unique',
        'search_weight',
        'filter_logic',
        'ui_visible',
        'ui_editable',
        'weight',
        'is_cloneable',
      ],
      Values: ['default', 'choice_set'],
      Validation: ['validation_minimum', 'validation_maximum', 'validation_regex', 'validation_schema'],
    },
  },
  label: 'custom field',
  ordering: ['group_name', 'weight', 'name'],
  features: administrative,
  brief: ['name', 'description'],
  display: { columns: ['label', 'name'], text: labelOf },
  search: ['name', 'label', 'group_name', 'description', 'comments'],
  fields: {
    object_types: objectTypes({ filter: false }),
    type: choice(customFieldTypes),
    related_object_type: objectType({ optional: true }),
    data_type: computed(['type'], jsonType, { schema: { type: 'string' } }),
    name: text({
      max: 50,
      unique: true,
      pattern: { expression: /^[a-z0-9_]+$/i, message: 'Only alphanumeric characters and underscores are allowed.' },
    }),
    label: text({ max: 50, optional: true }),
    group_name: text({ max: 50, optional: true }),
    ...description(),
    required: boolean(),
    unique: boolean(),
    search_weight: integer({ min: 0, max: 32_767, size: 'smallint', default: 1000 }),
    filter_logic: choice(filterLogic, { default: 'loose', one: true }),
    ui_visible: choice(uiVisible, { default: 'always', one: true }),
    ui_editable: choice(uiEditable, { default: 'yes', one: true }),
    is_cloneable: boolean(),
    default: json({ optional: true }),
    related_object_filter: json({ optional: true }),
    weight: integer({ min: 0, max: 32_767, size: 'smallint', default: 100 }),
    validation_minimum: decimal({ digits: 16, places: 4, optional: true }),
    validation_maximum: decimal({ digits: 16, places: 4, optional: true }),
    validation_regex: text({ max: 500, optional: true }),
    validation_schema: json({ optional: true }),
    choice_set: ref('extras.customfieldchoiceset', { optional: true }),
    ...owner(),
    ...comments(),
    ...timestamps(),
  },
  filters: {
    object_type_id: typeIdOf('object_types'),
    object_type: column('object_types', 'objectTypes'),
    related_object_type_id: typeIdOf('related_object_type'),
  },
  rules: [
    typesWith('customFields'),
    rule.keepsType,
    rule.hasSingleUnderscores,
    rule.settingsFitType,
    rule.limitsAreInOrder,
    rule.regexCompiles,
    isJsonSchema('validation_schema'),
    rule.defaultIsValid,
  ],
});
