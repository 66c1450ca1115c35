import {
  boolean,
  choice,
  choiceList,
  column,
  customFields,
  description,
  fails,
  type Field,
  generic,
  helped,
  integer,
  json,
  type Json,
  model,
  names,
  objectType,
  objectTypes,
  owner,
  type Rule,
  tags,
  text,
  timestamps,
  typeIdOf,
} from '@cadastre/model';
import { typesWith } from '../../extras/models/typesWith.ts';
import { actionTypes, eventTypes } from './eventRuleChoices.ts';
import { webhookFeatures } from './webhook.ts';

/** What the service that owns event rules provides under the name `conditions`. */
export interface Conditions {
  /** The reason why a value is not a valid condition, or null. */
  check(value: Json): string | null;
}

const dictionary = (value: Json): string[] =>
  typeof value === 'object' && !Array.isArray(value) ? [] : ['Expected a dictionary.'];

const ACTS_ON: Record<string, string> = { webhook: 'extras.webhook', notification: 'extras.notificationgroup' };

/** Scripts are refused when the field is parsed, so that the message appears together with those about other fields. */
const withoutScripts = (field: Field): Field => ({
  ...field,
  parse: (value, context) =>
    value === 'script'
      ? fails('Scripts are not part of this product; use a webhook or a notification.')
      : field.parse!(value, context),
});

/** The type of the object that a rule acts on fits the type of action. */
export const actionObjectFits: Rule = ({ action_type: action, action_object_type: type }) => {
  const expected = ACTS_ON[String(action)];
  return type === expected
    ? undefined
    : { action_object_type: [`An action of type ${action} needs an object of type ${expected}.`] };
};

export const conditionsParse: Rule = ({ conditions }, { service }) => {
  const problem =
    conditions === null || conditions === undefined ? null : service<Conditions>('conditions').check(conditions);
  return problem === null ? undefined : { conditions: [problem] };
};

/** Which changes of which types of objects trigger which action, such as a webhook. */
export const eventRule = model('extras.eventrule', {
  path: 'event-rules',
  exempt: 'byName',
  pages: {
    columns: ['enabled', 'object_types', 'event_types', 'action_type', 'action_object', 'description'],
    groups: {
      Trigger: ['object_types', 'event_types', 'conditions'],
      Action: ['action_type', 'action_object_type', 'action_object_id', 'action_object', 'action_data'],
    },
  },
  imports: {
    passed: ['comments'],
    columns: { action_object: names('action_object', { ofValue: { column: 'action_type', types: ACTS_ON } }) },
  },
  label: 'event rule',
  ordering: ['name'],
  features: webhookFeatures,
  brief: ['name', 'description'],
  search: ['name', 'description'],
  fields: {
    object_types: objectTypes({ allowEmpty: false, filter: false }),
    name: text({ max: 150, unique: true, natural: true }),
    enabled: boolean({ default: true }),
    event_types: choiceList(eventTypes, { allowEmpty: false, filter: false }),
    conditions: json({ optional: true }),
    action_type: withoutScripts(choice(actionTypes, { max: 30 })),
    action_object_type: objectType(),
    action_object_id: integer({ optional: true, size: 'bigint', min: 0 }),
    action_object: generic('action_object_type', 'action_object_id', { to: Object.values(ACTS_ON) }),
    ...description(),
    custom_fields: customFields(),
    ...owner(),
    tags: tags(),
    ...timestamps(),
    action_data: helped(
      'Merged into what is told of the object, under its attributes',
      json({ optional: true, writeOnly: true, dictionary: true, check: dictionary }),
    ),
  },
  filters: {
    object_type_id: typeIdOf('object_types'),
    object_type: column('object_types', 'objectTypes'),
    event_type: column('event_types', 'strings'),
  },
  rules: [typesWith('eventRules'), conditionsParse, actionObjectFits],
});
