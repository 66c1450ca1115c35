import { appendChanges, type Executor } from '@cadastre/events';
import { v5 } from 'uuid';
import { noticeEvent } from '../models/notice.ts';
import type { Match } from '../rules/match.ts';
import type { NotificationRule } from '../rules/rules.ts';

// The ids of notices derive from event and rule, so that a notice which is made again is recognised.
const namespace = '6b1f0b0e-3c1c-5d0a-9f43-4f2d1c7f5a10';

/**
 * Asks the service that owns notifications, through the outbox, to notify groups of users: once for each event and
 * rule.
 */
export const notify = (matches: readonly Match<NotificationRule>[], executor: Executor): Promise<void> =>
  appendChanges(
    executor,
    matches.map(({ event, rule, eventType }) =>
      noticeEvent(v5(`${event.id}:${rule.id}`, namespace), event, {
        group: rule.group,
        objectType: event.objectType,
        objectId: event.objectId,
        display: event.display,
        eventType,
      }),
    ),
  );
