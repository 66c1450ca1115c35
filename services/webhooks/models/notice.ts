import type { ChangeEvent, JsonObject } from '@cadastre/events';

/** Type of the events by which a service has users told of something. It is no object: nobody can read it. */
const NOTICE = 'extras.notice';

/** What a group of users, or one user, is to be told. */
export type Notice = ({ group: number; user?: never } & Told) | ({ user: number; group?: never } & Told);

interface Told {
  objectType: string;
  objectId: number;
  /** What the object was called. */
  display: string;
  eventType: string;
}

/** The event that says so, under the id that makes it the same one each time. */
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

/** What an event has a group told, if it is such a one. */
export const noticeOf = ({ objectType, data }: ChangeEvent): Notice | undefined =>
  objectType === NOTICE && data ? (data as unknown as Notice) : undefined;
