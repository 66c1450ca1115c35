import type { Panel } from '@cadastre/pages';
import { attempts, type Attempt, payload } from './delivery/attempts.ts';
import { outcome } from './delivery/outcome.ts';
import { TYPE } from './delivery/words.ts';

export const panels: readonly Panel[] = [
  {
    on: TYPE,
    as: 'panel',
    place: 'above',
    name: 'outcome',
    title: 'Outcome',
    shows: [
      ...['status', 'kind', 'event_type', 'object_type', 'object_id', 'object_name', 'error', 'error_kind'],
      ...['webhook', 'rule', 'replay', 'method', 'request_url', 'destination', 'response_status'],
      ...['scheduled', 'started', 'finished', 'attempts', 'requeues', 'requested_by', 'cancelled_by', 'worker'],
    ],
    render: outcome,
  },
  {
    on: TYPE,
    as: 'panel',
    place: 'below',
    name: 'attempts',
    title: 'Attempts',
    shows: ['attempt_log'],
    render: async ({ object }) => attempts((object['attempt_log'] ?? []) as unknown as Attempt[]),
  },
  {
    on: TYPE,
    as: 'panel',
    place: 'below',
    name: 'payload',
    title: 'Payload',
    shows: ['payload'],
    render: async ({ object }) => payload(object['payload'] ?? null),
  },
];
