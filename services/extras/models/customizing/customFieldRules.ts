import {
  compiled,
  customValueProblem,
  type Errors,
  type Json,
  type Rule,
  type Values,
  whyNoSchema,
} from '@cadastre/model';
import { baseChoices } from './baseChoices.ts';

const given = (value: Json | undefined): boolean => value !== null && value !== undefined && value !== '';
const oneOf =
  (...types: string[]) =>
  (object: Values): boolean =>
    types.includes(String(object['type']));

const isNumber = oneOf('integer', 'decimal');
const isText = oneOf('text', 'longtext', 'url');
const isSelection = oneOf('select', 'multiselect');
const isRelation = oneOf('object', 'multiobject');

export const keepsType: Rule = (object, { before }) =>
  before && before['type'] !== object['type']
    ? { type: ['Changing the type of custom fields is not supported.'] }
    : undefined;

/** Filters are called `cf_<name>__<lookup>`, so a name holds no double underscore. */
export const hasSingleUnderscores: Rule = ({ name }) =>
  String(name).includes('__') ? { name: ['Double underscores are not permitted in custom field names.'] } : undefined;

/** Each setting fits the type. */
export const settingsFitType: Rule = (object) => {
  const errors: Errors = {};
  if (!isNumber(object)) {
    if (given(object['validation_minimum']))
      errors['validation_minimum'] = ['A minimum value may be set only for numeric fields'];
    if (given(object['validation_maximum']))
      errors['validation_maximum'] = ['A maximum value may be set only for numeric fields'];
  }
  if (given(object['validation_regex']) && !isText(object))
    errors['validation_regex'] = ['Regular expression validation is supported only for text and URL fields'];
  if (given(object['validation_schema']) && object['type'] !== 'json')
    errors['validation_schema'] = ['JSON schema validation is supported only for JSON fields.'];
  if (object['unique'] === true && object['type'] === 'boolean')
    errors['unique'] = ['Uniqueness cannot be enforced for boolean fields'];
  if (isSelection(object)) {
    if (!given(object['choice_set'])) errors['choice_set'] = ['Selection fields must specify a set of choices.'];
  } else if (given(object['choice_set'])) errors['choice_set'] = ['Choices may be set only on selection fields.'];
  if (isRelation(object)) {
    if (!given(object['related_object_type']))
      errors['related_object_type'] = ['Object fields must define an object type.'];
  } else if (given(object['related_object_type']))
    errors['related_object_type'] = [`${object['type']} fields may not define an object type.`];
  if (given(object['related_object_filter'])) {
    if (!isRelation(object))
      errors['related_object_filter'] = ['A related object filter can be defined only for object fields.'];
    else if (typeof object['related_object_filter'] !== 'object' || Array.isArray(object['related_object_filter']))
      errors['related_object_filter'] = ['Filter must be defined as a dictionary mapping attributes to values.'];
  }
  return errors;
};

export const limitsAreInOrder: Rule = ({ validation_minimum: minimum, validation_maximum: maximum }) =>
  given(minimum) && given(maximum) && Number(minimum) > Number(maximum)
    ? { validation_maximum: ['The maximum value must not be less than the minimum value.'] }
    : undefined;

export const regexCompiles: Rule = ({ validation_regex: regex }) =>
  typeof regex === 'string' && regex && !compiled(regex)
    ? { validation_regex: [`${regex} is not a valid regular expression.`] }
    : undefined;

/** The default is a value that the field itself would accept. */
export const defaultIsValid: Rule = async (object, context) => {
  const value = object['default'];
  if (!given(value)) return undefined;
  const set = await context.related('extras.customfieldchoiceset', object['choice_set']);
  const base = typeof set?.['base_choices'] === 'string' ? (baseChoices(set['base_choices']) ?? []) : [];
  const values = new Set(
    [...base, ...((set?.['extra_choices'] ?? []) as [string, string][])].map(([choice]) => choice),
  );
  const regex = String(object['validation_regex'] ?? '');
  const problem = customValueProblem(
    {
      type: String(object['type']),
      required: false,
      minimum: given(object['validation_minimum']) ? Number(object['validation_minimum']) : null,
      maximum: given(object['validation_maximum']) ? Number(object['validation_maximum']) : null,
      regex: compiled(regex) ? regex : '',
      schema: whyNoSchema(object['validation_schema'] ?? null) ? null : object['validation_schema']!,
      choiceSet: set ? { name: String(set['name']), values } : null,
    },
    value!,
  );
  return problem === undefined
    ? undefined
    : { default: [`Invalid default value "${typeof value === 'string' ? value : JSON.stringify(value)}": ${problem}`] };
};
