import { expect, jest, test } from '@jest/globals';
import { parsePositions, type WritePosition, positionText } from '@cadastre/service/write-positions';
import { REMEMBERED_MS, recordAnswer, pendingWrites } from './pending-writes.ts';

const wrote = (service: string, at: number): WritePosition => ({
  service,
  first: at,
  last: at,
  types: new Set([1]),
  gone: false,
});

function remembering() {
  let now = 1_000;
  const tell = jest.fn();
  return {
    ...pendingWrites(
      ['dcim', 'ipam', 'extras'],
      (owner, service) => owner !== service || owner === 'extras',
      1_000,
      tell,
      () => now,
    ),
    tell,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('every service is told of what others wrote until it says that it knows', () => {
  const { record, for: told, seen, tell } = remembering();
  expect(told('ipam')).toBeUndefined();
  record([wrote('dcim', 5)]);
  expect([told('dcim'), told('ipam'), told('extras'), tell.mock.calls.length]).toEqual([
    undefined,
    'dcim:5-5:1',
    'dcim:5-5:1',
    1,
  ]);
  record([wrote('extras', 7)]);
  expect([told('extras'), told('ipam')]).toEqual(['dcim:5-5:1,extras:7-7:1', 'dcim:5-5:1,extras:7-7:1']);
  seen('ipam', 'dcim:5-5:1');
  expect([told('ipam'), told('extras')]).toEqual(['extras:7-7:1', 'dcim:5-5:1,extras:7-7:1']);
});

test('many writes take no more room than a few, and nothing is left out', () => {
  const { record, for: told, seen } = remembering();
  for (let at = 1; at <= 20; at++) record([wrote('dcim', at)]);
  const all = parsePositions(told('ipam'));
  expect([all.length, Math.min(...all.map(({ first }) => first)), Math.max(...all.map(({ last }) => last))]).toEqual([
    4, 1, 20,
  ]);
  // A service is not told again of writes that it has confirmed, even if others were added since.
  record([wrote('dcim', 21)]);
  seen('ipam', positionText(all[0]!));
  expect(parsePositions(told('ipam')).map(({ first, last }) => [first, last])).toEqual([
    [18, 18],
    [19, 19],
    [20, 20],
    [21, 21],
  ]);
  // An entry that was combined with others after it was sent is not confirmed by the old text.
  record([wrote('dcim', 22)]);
  const before = parsePositions(told('ipam'));
  record([wrote('dcim', 23)]);
  expect(parsePositions(told('ipam'))[0]).toMatchObject({ first: 18, last: 20 });
  seen('ipam', positionText(before[0]!));
  expect(parsePositions(told('ipam'))[0]).toMatchObject({ first: 18, last: 20 });
});

test('nor do very many of which nobody asks', () => {
  const { record, for: told } = remembering();
  for (let at = 1; at <= 1_000; at++) record([wrote('dcim', at)]);
  const all = parsePositions(told('ipam'));
  expect([all.length, all[0]!.first, all.at(-1)!.last]).toEqual([4, 1, 1_000]);
});

test('a large write is told with requests of its own user, and others do not wait for it', () => {
  const { record, for: told, seen, pass } = remembering();
  const large = { ...wrote('dcim', 1), last: 1_001 };
  record([large, wrote('dcim', 2_000)], 7);
  const both = `dcim:2000-2000:1,${positionText(large)}`;
  expect([told('ipam', 7), told('ipam', 8), told('ipam')]).toEqual([both, 'dcim:2000-2000:1', 'dcim:2000-2000:1']);
  seen('ipam', both);
  expect([told('ipam', 7), told('extras', 7)]).toEqual([undefined, both]);
  pass(REMEMBERED_MS);
  expect(told('extras', 7)).toBeUndefined();
  // A smaller write, or one whose author is unknown, is told for every user.
  record([{ ...large, last: 1_000 }], 7);
  record([{ ...large, first: 3_000, last: 5_000 }]);
  expect(parsePositions(told('ipam', 8))).toHaveLength(2);
});

test('what nobody asked about is forgotten after a while', () => {
  const { record, for: told, pass } = remembering();
  record([wrote('dcim', 1)]);
  pass(REMEMBERED_MS - 1);
  record([wrote('dcim', 2)]);
  expect(told('ipam')).toBe('dcim:1-1:1,dcim:2-2:1');
  pass(1);
  expect(told('ipam')).toBe('dcim:2-2:1');
  pass(REMEMBERED_MS);
  expect(told('ipam')).toBeUndefined();
});

test('a service speaks for itself only, and clients hear nothing of it', () => {
  const memory = remembering();
  const headers: Record<string, string> = {
    'x-cadastre-write-position': 'dcim:5-5:1,ipam:9-9:1',
    'x-cadastre-followed-writes': 'extras:1-1:1',
    etag: 'x',
  };
  memory.record([wrote('extras', 1)]);
  expect(recordAnswer(memory, 'dcim', headers)).toEqual([wrote('dcim', 5)]);
  expect([headers, memory.for('dcim'), memory.for('ipam')]).toEqual([
    { etag: 'x' },
    undefined,
    'extras:1-1:1,dcim:5-5:1',
  ]);
});
