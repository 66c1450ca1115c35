import type { ChangeEvent } from '@cadastre/events';

/** Type of the events by which an event rule has a group of users told of a change. It is no object: nobody can read it. */
const NOTICE = 'extras.notice';

/** What a group of users is to be told. */
export interface Notice {
  group: number;
  objectType: string;
  objectId: number;
  /** What the object was called. */
  display: string;
  eventType: string;
}

/** The event that says so, under the id that makes it the same one each time. */
export const noticeEvent = (id: string, cause: Pick<ChangeEvent, 'time' | 'request'>, { group, objectType, objectId, display, eventType }: Notice): ChangeEvent => ({
  id, time: cause.time, request: cause.request, action: 'created', objectType: NOTICE, objectId: group, version: 0, display, message: '',
  data: { group, objectType, objectId, display, eventType }, prechange: null, postchange: null, row: null, related: null,
});

/** What an event has a group told, if it is such a one. */
export const noticeOf = ({ objectType, data }: ChangeEvent): Notice | undefined => (objectType === NOTICE && data ? (data as unknown as Notice) : undefined);
