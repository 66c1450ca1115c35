import {
  choice,
  choices,
  compared,
  datetime,
  generic,
  helped,
  integer,
  model,
  objectType,
  text,
  uuid,
} from '@cadastre/model';
import { SECURITY_EVENT, type SecurityKind, SECURITY_KINDS } from './rights/securityKinds.ts';

export const securityKinds = choices(Object.entries(SECURITY_KINDS));

export const securityResults = choices([
  ['success', 'Success'],
  ['failure', 'Failure'],
]);

/** The object types that determine rights. */
const RIGHTS = ['users.user', 'users.group', 'users.token', 'users.objectpermission'];

const shown = { readOnly: true } as const;

/**
 * Something that happened at a login, with a credential or to rights: who, from where, by what means, and the outcome.
 * Nothing changes such a record; it is deleted after a time.
 */
export const securityEvent = model(SECURITY_EVENT, {
  path: 'security-events',
  exempt: 'never',
  label: 'security event',
  ordering: ['-time'],
  readOnly: true,
  features: ['eventRules'],
  eventType: 'security_event',
  brief: ['kind', 'result'],
  search: ['user_name', 'address', 'detail', 'method'],
  display: {
    columns: ['kind', 'user_name'],
    text: ([kind, user]) => [SECURITY_KINDS[kind as SecurityKind] ?? kind, user].filter((part) => part).join(': '),
  },
  about: { type: 'object_type', id: 'object_id' },
  pages: {
    columns: ['time', 'result', 'address', 'method', 'detail', 'count'],
    groups: {
      Activity: ['time', 'kind', 'result', 'detail', 'count'],
      Person: ['user_name', 'user', 'user_id', 'address', 'method', 'browser', 'request_id'],
      Objects: ['object_type', 'object_id', 'object'],
    },
  },
  fields: {
    time: datetime({ ...shown, default: 'now', filter: false }),
    kind: choice(securityKinds, shown),
    result: choice(securityResults, shown),
    user_type: objectType({ hidden: true, optional: true, filter: false }),
    user_id: helped(
      'The user, also when there is none any more',
      integer({ ...shown, optional: true, size: 'bigint', min: 0 }),
    ),
    user: generic('user_type', 'user_id', { to: ['users.user'], outlives: true }),
    user_name: text({ ...shown, max: 150, optional: true }),
    address: text({ ...shown, max: 45, optional: true }),
    method: helped('How somebody proved who they are', text({ ...shown, max: 50, optional: true })),
    browser: helped('As it calls itself', text({ ...shown, max: 300, optional: true })),
    object_type: objectType({ readOnly: true, optional: true }),
    object_id: integer({ ...shown, optional: true, size: 'bigint', min: 0 }),
    object: generic('object_type', 'object_id', { to: RIGHTS, outlives: true }),
    detail: text({ ...shown, max: 300, optional: true }),
    request_id: uuid({ ...shown, optional: true }),
    count: helped('So many like it within a minute are one record', integer({ ...shown, default: 1, min: 1 })),
  },
  filters: {
    time_after: compared('time', 'instant', 'gte'),
    time_before: compared('time', 'instant', 'lte'),
  },
  indexes: [['user_id']],
});
