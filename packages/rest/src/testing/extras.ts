import { boolean, decimal, integer, json, model, objectTypes, ref, slug, text } from '@cadastre/model';

export const tag = model('extras.tag', {
  path: 'tags',
  label: 'tag',
  ordering: ['name'],
  brief: ['name', 'slug'],
  nested: ['name', 'slug'],
  fields: {
    name: text({ max: 50, unique: true }),
    slug: slug({ unique: true }),
    object_types: objectTypes({ optional: true, filter: false }),
  },
});

export const customField = model('extras.customfield', {
  path: 'custom-fields',
  label: 'custom field',
  ordering: ['name'],
  brief: ['name'],
  fields: {
    object_types: objectTypes(),
    name: text({ max: 50 }),
    label: text({ max: 50, optional: true }),
    type: text({ max: 50 }),
    related_object_type: text({ max: 100, optional: true, nullable: true }),
    group_name: text({ max: 50, optional: true }),
    required: boolean(),
    unique: boolean(),
    default: json({ optional: true }),
    weight: integer({ default: 100 }),
    filter_logic: text({ max: 50, default: 'loose' }),
    validation_minimum: decimal({ digits: 16, places: 4, optional: true }),
    validation_maximum: decimal({ digits: 16, places: 4, optional: true }),
    validation_regex: text({ max: 500, optional: true }),
    search_weight: integer({ min: 0, max: 32_767, size: 'smallint', default: 1000 }),
    validation_schema: json({ optional: true }),
    choice_set: ref('extras.customfieldchoiceset', { optional: true }),
  },
});

export const choiceSet = model('extras.customfieldchoiceset', {
  path: 'custom-field-choice-sets',
  label: 'choice set',
  ordering: ['name'],
  brief: ['name'],
  fields: {
    name: text({ max: 100 }),
    base_choices: text({ max: 50, optional: true, nullable: true }),
    extra_choices: json({ optional: true }),
  },
});
