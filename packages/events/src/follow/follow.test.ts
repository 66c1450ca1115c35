import { expect, test } from '@jest/globals';
import type { ChangeEvent } from '../event/event.ts';
import { follow } from './follow.ts';
import { type ConsumeOptions, type EventLog, kindOf, type ReceivedMessage } from '../log/log.ts';
import { newEventId } from '../event/eventId.ts';

const event = (objectType: string): ChangeEvent => ({
  id: newEventId(),
  time: '2026-01-02T03:04:05.123456Z',
  request: null,
  action: 'created',
  objectType,
  objectId: 7,
  version: 1,
  display: '',
  message: '',
  data: {},
  prechange: null,
  postchange: {},
  row: {},
  related: null,
});
const message = (key: string, value: string): ReceivedMessage => ({
  topic: 't',
  partition: 0,
  position: '1',
  time: new Date(),
  key,
  value,
  headers: {},
});

test('what does not matter is passed over unread', async () => {
  let consume: ConsumeOptions | undefined;
  const log: Pick<EventLog, 'consume'> = {
    async consume(options) {
      consume = options;
      return { stop: async () => undefined };
    },
  };
  const handled: string[][] = [];
  await follow({
    log: log as EventLog,
    services: ['dcim'],
    group: 'g',
    wants: async () => (type) => type === 'dcim.site',
    handle: async (events, messages) => {
      handled.push([...events.map((e) => e.objectType), ...messages.map((m) => m.key)]);
    },
  });
  expect(consume!.topics).toEqual(['cadastre.changes.dcim']);
  expect(['dcim.rack:1', 'dcim.site:7'].map(kindOf).map(await consume!.wants!())).toEqual([false, true]);
  await consume!.handler([message('dcim.site:7', JSON.stringify(event('dcim.site')))]);
  expect(handled).toEqual([['dcim.site', 'dcim.site:7']]);
});
