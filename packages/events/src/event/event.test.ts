import { describe, expect, it } from '@jest/globals';
import { type ChangeEvent, InvalidEvent, keyOf, PARTS, topicOf } from './event.ts';
import {
  irrelevantTo,
  irrelevantToText,
  eventText,
  parseEvent,
  partText,
  plain,
  textOf,
  validateEvent,
} from './eventText.ts';
import { newEventId } from './eventId.ts';

const event: ChangeEvent = {
  id: newEventId(),
  time: '2026-01-02T03:04:05.123456Z',
  request: {
    id: 'b1d0b0a4-9a0e-4c0e-8f5e-0e7c3d1a2b3c',
    method: 'POST',
    path: '/api/dcim/sites/',
    user: 'admin',
    userId: 1,
  },
  action: 'created',
  objectType: 'dcim.site',
  objectId: 7,
  version: 1,
  display: 'Paris \ud800 \0',
  message: '',
  data: { id: 7, tags: [] },
  prechange: null,
  postchange: { name: 'Paris' },
  row: { id: 7 },
  related: { type: 'dcim.region', id: 3 },
};

describe('change events', () => {
  it('come back from the log as they were, however they were written', () => {
    for (const one of [
      event,
      { ...event, consequence: true },
      { ...event, data: null, row: null, postchange: { text: 'tab \t, "data":' } },
    ]) {
      expect(plain(parseEvent(textOf(one)))).toEqual(one);
      expect(parseEvent(JSON.stringify(one))).toEqual(one);
      expect(JSON.parse(textOf(one))).toEqual(one);
      expect(JSON.parse(JSON.stringify(parseEvent(textOf(one))))).toEqual(JSON.parse(JSON.stringify(one)));
    }
  });
  it('give their parts as text, unread', () => {
    const broken = textOf(event).replace('"id":7}', '"id":7');
    const received = parseEvent(broken);
    expect(PARTS.map((name) => partText(parseEvent(textOf(event)), name))).toEqual(
      PARTS.map((name) => JSON.stringify(event[name])),
    );
    expect([partText(received, 'row'), received.display]).toEqual(['{"id":7', event.display]);
    expect(() => received.row).toThrow(InvalidEvent);
  });
  it('name the part that is wrong', () => {
    const received = parseEvent(textOf({ ...event, data: [] as never }));
    expect(() => received.data).toThrow('not a change event: data: expected an object');
    expect(received.postchange).toEqual(event.postchange);
  });
  it('may say whom they do not concern, and nothing that a client wrote can', () => {
    const parts = { row: '{}', data: 'null', prechange: 'null', postchange: 'null' };
    const text = (display: string, names: string[]) =>
      eventText(`{"display":${JSON.stringify(display)}${irrelevantToText(names)}}`, parts);
    expect([
      irrelevantTo(text('x', ['dcim#1', 'ipam#2'])),
      irrelevantTo(text('x', [])),
      irrelevantTo(textOf(event)),
    ]).toEqual(['dcim#1 ipam#2', undefined, undefined]);
    for (const display of [',"aside":"dcim#1"', '","aside":"dcim#1', 'x","aside":"dcim#1"\t', '\t,"aside":"dcim#1"'])
      expect(irrelevantTo(text(display, []))).toBeUndefined();
  });
  it('have a topic and a key', () => {
    expect(topicOf('dcim')).toBe('cadastre.changes.dcim');
    expect(keyOf(event)).toBe('dcim.site:7');
  });
  it('may hold keys that this version does not know', () =>
    expect(validateEvent({ ...event, added: 1 })).toEqual(event));
  it('have ids that sort by time, each its own', () => {
    const ids = Array.from({ length: 5_000 }, newEventId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
    expect(
      ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toEqual([]);
  });

  it.each([
    ['not JSON', '{'],
    ['value', 'null'],
    ['objectType', JSON.stringify({ ...event, objectType: 'site' })],
    ['data', JSON.stringify({ ...event, data: [] })],
    ['request.userId', JSON.stringify({ ...event, request: { ...event.request, userId: 'x' } })],
    ['version', JSON.stringify({ ...event, version: 1.5 })],
  ])('are refused with the place named: %s', (place, text) => {
    expect(() => parseEvent(text)).toThrow(InvalidEvent);
    expect(() => parseEvent(text)).toThrow(place);
  });
});
