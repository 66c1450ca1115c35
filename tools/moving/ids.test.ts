import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { IdSet } from './ids.ts';

test('holds what was put into it and nothing else, as a set does', () => {
  const id = fc.oneof(fc.nat({ max: 5000 }), fc.nat({ max: Number.MAX_SAFE_INTEGER }));
  fc.assert(
    fc.property(fc.array(id), fc.array(id), (given, others) => {
      const [ids, plain] = [new IdSet(), new Set<number>()];
      for (const one of given) {
        expect(ids.add(one)).toBe(!plain.has(one));
        plain.add(one);
      }
      for (const one of [...given, ...others]) expect(ids.has(one)).toBe(plain.has(one));
      expect(ids.size).toBe(plain.size);
      expect([...ids].toSorted((a, b) => a - b)).toEqual([...plain].toSorted((a, b) => a - b));
      ids.clear();
      expect([ids.size, [...ids]]).toEqual([0, []]);
    }),
  );
});

test('the ids of five million objects take little more than a bit each', () => {
  const before = process.memoryUsage().arrayBuffers;
  const ids = new IdSet();
  for (let id = 1_000_000; id < 6_000_000; id += 1) ids.add(id);
  expect(ids.size).toBe(5_000_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(720_000);
});
