import { expect, test } from '@jest/globals';
import { mapPaced, paced } from './pace.ts';

test('of those who work at the same time one goes on in each turn of the event loop', async () => {
  let turn = 0;
  let over = false;
  const count = (): void => {
    turn++;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const pace = paced(0);
      for (let i = 0; i < 5; i++) {
        await pace();
        seen.push(turn);
      }
    }),
  );
  over = true;
  expect(seen).toHaveLength(40);
  for (const one of new Set(seen)) expect(seen.filter((other) => other === one).length).toBeLessThanOrEqual(2);
});

test('a turn that has not lasted long enough goes on', () => {
  expect(paced(60_000)()).toBeUndefined();
});

test('many things are made in their order, with turns in between', async () => {
  let turns = 0;
  const pace = () => new Promise<void>((resolve) => setImmediate(resolve)).then(() => void turns++);
  expect(await mapPaced(['a', 'b', 'c'], (one, at) => `${at}${one}`, pace)).toEqual(['0a', '1b', '2c']);
  expect(turns).toBe(3);
});
