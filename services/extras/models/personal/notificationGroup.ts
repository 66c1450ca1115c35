import { description, type Feature, model, refs, text, timestamps } from '@cadastre/model';

const features: Feature[] = ['changeLogging', 'eventRules', 'timestamps'];

/** Users and groups that are notified together. */
export const notificationGroup = model('extras.notificationgroup', {
  path: 'notification-groups',
  exempt: 'byName',
  label: 'notification group',
  ordering: ['name'],
  features,
  brief: ['name', 'description'],
  search: ['name', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    ...description(),
    groups: refs('users.group'),
    users: refs('users.user'),
    ...Object.fromEntries(Object.entries(timestamps()).map(([name, field]) => [name, { ...field, hidden: true }])),
  },
});
