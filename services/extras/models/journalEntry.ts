import {
  choice,
  choices,
  compared,
  datetime,
  type Feature,
  imported,
  labels,
  model,
  type Rule,
  ref,
  text,
  typeIdOf,
} from '@cadastre/model';
import { aboutObject, needsFeature } from './aboutObject.ts';

export const journalKinds = choices([
  ['info', 'Info'],
  ['success', 'Success'],
  ['warning', 'Warning'],
  ['danger', 'Danger'],
]);
const labelsOfKinds = new Map(journalKinds.map(({ value, label }) => [value, label]));

const features: Feature[] = [
  'customFields',
  'tags',
  'changeLogging',
  'eventRules',
  'exportTemplates',
  'customLinks',
  'timestamps',
];

/**
 * The requester is the author of a new entry, unless another one is given. The author stays: another one in an update
 * is ignored.
 */
export const writtenByRequester: Rule = (object, { before, requester, importing }) => {
  if (importing) return undefined;
  if (before) object['created_by'] = before['created_by']!;
  else object['created_by'] ??= requester.userId;
};

/** A note about an object, kept with it. */
export const journalEntry = model('extras.journalentry', {
  path: 'journal-entries',
  pages: { columns: ['assigned_object', 'kind', 'comments', 'created'] },
  imports: { by: { created_by: 'id' } },
  label: 'journal entry',
  plural: 'journal entries',
  ordering: ['-created'],
  features,
  brief: ['created'],
  search: ['comments'],
  display: {
    columns: ['created', 'kind'],
    text: ([created, kind]) => `${(created ?? '').slice(0, 16)} (${labelsOfKinds.get(kind ?? '') ?? kind})`,
  },
  about: { type: 'assigned_object_type', id: 'assigned_object_id' },
  fields: {
    ...aboutObject('assigned_object', { prefix: 'assigned_object', missing: 'assigned_object' }),
    created: imported(datetime({ optional: true, readOnly: true, filter: false })),
    created_by: ref('users.user', { optional: true, onDelete: 'setNull', form: 'id' }),
    kind: choice(journalKinds, { default: 'info', max: 30 }),
    comments: text({ filter: false }),
    ...labels(),
    last_updated: imported(datetime({ optional: true, readOnly: true })),
  },
  filters: {
    assigned_object_type_id: typeIdOf('assigned_object_type'),
    created_after: compared('created', 'instant', 'gte'),
    created_before: compared('created', 'instant', 'lte'),
  },
  rules: [
    needsFeature(
      'journaling',
      (type) => `Journaling is not supported for this object type (${type}).`,
      'assigned_object_type',
    ),
    writtenByRequester,
  ],
  indexes: [['assigned_object_type', 'assigned_object_id']],
});
