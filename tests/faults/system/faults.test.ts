import { expect, test } from '@jest/globals';
import { diceOf } from '../load/dice.ts';
import { drawFaults } from './faults.ts';

const drawn = (seed: number, log: 'postgres' | 'kafka') =>
  drawFaults(diceOf(seed), ['gateway', 'dcim', 'ipam'], log, 60_000).map(
    ({ afterMs, name, on }) => `${afterMs} ${on} ${name}`,
  );

test('a seed has the same faults each time, and another has others', () => {
  expect(drawn(1, 'postgres')).toEqual(drawn(1, 'postgres'));
  expect(drawn(1, 'postgres')).not.toEqual(drawn(2, 'postgres'));
});

test('every kind of fault happens, the broker is killed only where there is one', () => {
  const all = (log: 'postgres' | 'kafka') =>
    new Set(
      Array.from({ length: 50 }, (_, seed) => drawn(seed, log))
        .flat()
        .map((one) => one.replace(/^\d+ /, '').replace(/^(gateway|dcim|ipam) /, 'service ')),
    );
  const ofServices = [
    'service kill',
    'service cut from its database',
    'service cut in part from its database',
    'service cut from its neighbours',
    'service deaf to its database',
    'service deaf to its neighbours',
  ];
  expect([...all('postgres')].sort()).toEqual([...ofServices, 'PostgreSQL kill'].sort());
  expect([...all('kafka')].sort()).toEqual([...ofServices, 'PostgreSQL kill', 'Kafka kill'].sort());
});
