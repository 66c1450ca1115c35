import type { ChangeEvent, JsonObject } from '@cadastre/events';

/** Type of the events by which a service asks for users to be notified. It is not an object: nobody can read it. */
const NOTICE = 'extras.notice';

/** A notification for a group of users, or for one user. */
export type Notice = ({ group: number; user?: never } & Told) | ({ user: number; group?: never } & Told);

interface Told {
  objectType: string;
  objectId: number;
  /** The name of the object at that time. */
  display: string;
  eventType: string;
}

/** The event for a notice; repeated events with the same id count once. */
export const noticeEvent = (id: string, cause: Pick<ChangeEvent, 'time' | 'request'>, notice: Notice): ChangeEvent => ({
  id,
  time: cause.time,
  request: cause.request,
  action: 'created',
  objectType: NOTICE,
  objectId: notice.group ?? notice.user,
  version: 0,
  display: notice.display,
  message: '',
  data: JSON.parse(JSON.stringify(notice)) as JsonObject,
  prechange: null,
  postchange: null,
  row: null,
  related: null,
});

/** The notice in an event, if the event is one. */
export const noticeOf = ({ objectType, data }: ChangeEvent): Notice | undefined =>
  objectType === NOTICE && data ? (data as unknown as Notice) : undefined;
