import { expect, jest, test } from '@jest/globals';
import { type ChangeEvent, newEventId } from '@cadastre/events';
import { confirmBy, type ConfirmOptions } from './confirm.ts';

const event = (display: string, days = 8): ChangeEvent => ({
  id: newEventId(),
  time: new Date(Date.now() - days * 86_400_000).toISOString(),
  request: null,
  action: 'created',
  objectType: 'dcim.site',
  objectId: 1,
  version: 1,
  display,
  message: '',
  data: {},
  prechange: null,
  postchange: null,
  row: null,
  related: null,
});
const sent = [event('recorded'), event('lost'), event('of no interest'), event('too old', 40)];
const old = {
  ids: sent.map(({ id }) => id),
  read: async (ids: readonly string[]) => sent.filter(({ id }) => ids.includes(id)),
};

function confirming(o: Partial<ConfirmOptions> = {}) {
  const marks: string[][] = [];
  const unrecorded = jest
    .fn<ConfirmOptions['unrecorded']>()
    .mockResolvedValue({ event_ids: sent.slice(1).map(({ id }) => id), kept_days: 30 });
  const confirm = confirmBy({
    name: 'dcim',
    group: 'extras.replicas',
    events: {
      mark: async (group, topics) => {
        marks.push([group, ...topics]);
        return async () => true;
      },
    },
    unrecorded,
    isRecorded: ({ display }) => display !== 'of no interest',
    ...o,
  });
  return { confirm, marks, unrecorded };
}

test('what has no record and should have one must not be forgotten', async () => {
  const { confirm, marks, unrecorded } = confirming();
  expect(await confirm(old)).toEqual(new Set([sent[1]!.id]));
  expect(marks).toEqual([['extras.replicas', 'cadastre.changes.dcim']]);
  expect(unrecorded.mock.calls).toEqual([[old.ids]]);
});

test('records that are kept for ever are missed at any age', async () => {
  const { confirm, unrecorded } = confirming();
  unrecorded.mockResolvedValue({ event_ids: [sent[3]!.id], kept_days: 0 });
  expect(await confirm(old)).toEqual(new Set([sent[3]!.id]));
});

test('nothing can be said before the change log has handled what is in the log', async () => {
  const { confirm, unrecorded } = confirming({ withinMs: 50, events: { mark: async () => async () => false } });
  expect([await confirm(old), unrecorded.mock.calls]).toEqual([null, []]);
});

test('nor while the change log is away', async () => {
  const { confirm, unrecorded } = confirming();
  unrecorded.mockRejectedValue(new Error('away'));
  await expect(confirm(old)).rejects.toThrow('away');
});
