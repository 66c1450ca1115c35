import {
  choice,
  customFields,
  type Feature,
  generic,
  integer,
  keeps,
  model,
  objectType,
  ref,
  resets,
  type Rule,
  tags,
  timestamps,
  tree,
  typeIdOf,
} from '@cadastre/model';
import { priorities } from './priority.ts';

const features: Feature[] = ['tags', 'customFields', 'changeLogging', 'eventRules', 'exportTemplates', 'timestamps'];

/** Only objects whose type has the feature `contacts` can have contacts. */
export const hasContacts: Rule = ({ object_type: type }, { featuresOf }) =>
  featuresOf(String(type))?.has('contacts')
    ? undefined
    : { __all__: [`Contacts cannot be assigned to this object type (${type}).`] };

/** As in the reference, the field is not required, and an assignment without a role is refused like one with null. */
export const hasRole: Rule = ({ role }) => (role === null ? { role: ['This field cannot be null.'] } : undefined);

/** Assigns a contact to an object, in a role. */
export const contactAssignment = model('tenancy.contactassignment', {
  path: 'contact-assignments',
  pages: { columns: ['object', 'contact', 'role', 'priority'] },
  label: 'contact assignment',
  belongsTo: 'object',
  displayPath: false,
  ordering: ['contact', 'priority', 'role', 'id'],
  features,
  brief: ['contact', 'role', 'priority'],
  search: ['contact.name', 'role.name'],
  display: {
    columns: ['priority'],
    related: ['contact', 'object'],
    text: ([priority], [contact, object]) =>
      `${contact}${priority ? ` (${priorities.find((p) => p.value === priority)?.label ?? priority})` : ''} -> ${object ?? ''}`,
  },
  about: { type: 'object_type', id: 'object_id' },
  fields: {
    object_type: objectType(),
    object_id: integer({ size: 'bigint', min: 0 }),
    object: generic('object_type', 'object_id', { onDelete: 'cascade', backwards: 'contacts' }),
    contact: ref('tenancy.contact'),
    role: keeps(ref('tenancy.contactrole', { optional: true })),
    priority: resets(choice(priorities, { optional: true, one: true })),
    tags: tags(),
    custom_fields: customFields(),
    ...timestamps(),
  },
  filters: {
    object_type_id: typeIdOf('object_type'),
    group_id: tree('contact.groups'),
    group: tree('contact.groups', 'slug'),
  },
  unique: [{ fields: ['object_type', 'object_id', 'contact', 'role'], where: 'role_id is not null' }],
  rules: [hasRole, hasContacts],
});
