import type { ChangeEvent } from '@cadastre/events';

/** Who asked for what an event tells of. */
export const ASKED = {
  id: '019a0000-0000-7000-8000-0000000000bb',
  method: 'DELETE',
  path: '/x',
  user: 'ann',
  userId: 7,
};

/** An event of an object that somebody else owns: it was changed, unless `more` says otherwise. */
export const eventOf = (
  objectType: string,
  objectId: number,
  version: number,
  more: Partial<ChangeEvent> = {},
): ChangeEvent => ({
  id: '019a0000-0000-7000-8000-000000000001',
  time: '2026-01-01T00:00:00.000000Z',
  request: null,
  action: 'updated',
  objectType,
  objectId,
  version,
  display: 'x',
  message: '',
  data: {},
  prechange: null,
  postchange: null,
  related: null,
  ...more,
  row: more.row ? { id: objectId, _version: version, ...more.row } : null,
});

/** The event of a deletion. */
export const deletedOf = (objectType: string, objectId: number, more: Partial<ChangeEvent> = {}): ChangeEvent =>
  eventOf(objectType, objectId, 9, { action: 'deleted', display: '', data: null, ...more });
