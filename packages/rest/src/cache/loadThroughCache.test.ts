import { expect, test } from '@jest/globals';
import { catalogue } from '../testing/town.ts';
import { Cache } from './cache.ts';
import { type LoadOptions, loadThroughCache } from './loadThroughCache.ts';
import type { ReadContext } from '../serialize/related/readContext.ts';

/** What a request at a source gets, and which ids it had to load. */
function requests(more: Partial<ReadContext>) {
  const cache = new Cache(catalogue);
  const region = cache.displays('town.house', '');
  const readContext = { cache, keep: true, ...more } as ReadContext;
  return async (ids: string[], options?: LoadOptions, at: Partial<ReadContext> = {}) => {
    const loads: string[] = [];
    const values = await loadThroughCache(
      { ...readContext, ...at },
      'x',
      region,
      ids,
      async (missing) => {
        loads.push(...missing);
        return new Map(missing.filter((id) => id !== '9').map((id) => [id, `<${id}>`]));
      },
      options,
    );
    return [[...values.values()].join(' '), loads.join(' ')];
  };
}

test('what was loaded is remembered; what is not there is asked for again', async () => {
  const ask = requests({});
  expect([await ask(['1', '9', '1']), await ask(['1', '2', '9'])]).toEqual([
    ['<1>', '1 9'],
    ['<1> <2>', '2 9'],
  ]);
  expect([await ask(['5'], { uncacheable: true }), await ask(['5'])]).toEqual([
    ['<5>', '5'],
    ['<5>', '5'],
  ]);
});

test('a transaction keeps nothing for others, and may distrust what others know', async () => {
  const ask = requests({});
  await ask(['1']);
  expect([
    await ask(['1', '2'], {}, { keep: false }),
    await ask(['1'], { bypass: true }, { keep: false }),
    await ask(['2']),
  ]).toEqual([
    ['<1> <2>', '2'],
    ['<1>', '1'],
    ['<2>', '2'],
  ]);
});

test('at its end it need not find anything twice', async () => {
  const ask = requests({ keep: false, found: new Map() });
  expect([await ask(['1'], { bypass: true }), await ask(['1', '2'], { bypass: true }), await ask(['2', '1'])]).toEqual([
    ['<1>', '1'],
    ['<1> <2>', '2'],
    ['<2> <1>', ''],
  ]);
});
