import { describe, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import { catalogue } from '../testing/town.ts';
import { ANY_TYPE, Brief, Cache, CacheRegion } from './cache.ts';

/** A fill that ends on demand. */
function slowly(region: CacheRegion<string>, entries: [string, string][], keep = true) {
  const gate = Promise.withResolvers<void>();
  const filled = region.fill(
    async () => {
      await gate.promise;
      return new Map(entries);
    },
    () => keep,
  );
  return async () => {
    gate.resolve();
    return [...(await filled)];
  };
}

describe('a region', () => {
  test('keeps what was loaded', async () => {
    const region = new CacheRegion<string>();
    expect(
      await slowly(region, [
        ['1', 'a'],
        ['2', 'b'],
      ])(),
    ).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ]);
    expect([region.get('1'), region.get('2'), region.get('3')]).toEqual(['a', 'b', undefined]);
    region.invalidate('1');
    expect([region.get('1'), region.get('2')]).toEqual([undefined, 'b']);
    region.clear();
    expect(region.get('2')).toBeUndefined();
  });
  test('does not keep what was touched while it was loaded, but hands it to who asked', async () => {
    const region = new CacheRegion<string>();
    const finish = slowly(region, [
      ['1', 'old'],
      ['2', 'b'],
    ]);
    region.invalidate('1');
    expect(await finish()).toEqual([
      ['1', 'old'],
      ['2', 'b'],
    ]);
    expect([region.get('1'), region.get('2')]).toEqual([undefined, 'b']);
  });
  test('keeps nothing of a load during which all was forgotten', async () => {
    const region = new CacheRegion<string>();
    const finish = slowly(region, [['1', 'old']]);
    region.clear();
    await finish();
    expect(region.get('1')).toBeUndefined();
  });
  test('tells every load under way, and none that comes later', async () => {
    const region = new CacheRegion<string>();
    const first = slowly(region, [['1', 'first']]);
    const second = slowly(region, [['1', 'second']]);
    region.invalidate('1');
    const third = slowly(region, [['1', 'third']]);
    await third();
    await second();
    await first();
    expect(region.get('1')).toBe('third');
  });
  test('keeps nothing that a transaction saw before it was committed', async () => {
    const region = new CacheRegion<string>();
    expect(await slowly(region, [['1', 'a']], false)()).toEqual([['1', 'a']]);
    expect(region.get('1')).toBeUndefined();
  });
  test('forgets a load that failed', async () => {
    const region = new CacheRegion<string>();
    await expect(
      region.fill(async () => {
        throw new Error('gone');
      }),
    ).rejects.toThrow('gone');
    await slowly(region, [['1', 'a']])();
    expect(region.get('1')).toBe('a');
  });
});

describe('the cache', () => {
  const fill = async (region: CacheRegion<Brief>, id: string) => {
    await region.fill(async () => new Map([[id, new Brief([id])]]));
  };
  const briefs = async (...kinds: [string, 'brief' | 'nested'][]) => {
    const cache = new Cache(catalogue);
    const regions = kinds.map(([type, form]) => cache.briefs(type, form));
    for (const region of regions) {
      await fill(region, '1');
      await fill(region, '2');
    }
    return { cache, kept: () => regions.map((region) => ['1', '2'].filter((id) => region.get(id)).join('')) };
  };

  test('forgets all forms of one object, and nothing of others', async () => {
    const { cache, kept } = await briefs(['extras.tag', 'brief'], ['extras.tag', 'nested'], ['people.person', 'brief']);
    cache.invalidate(typeId('extras.tag'), '1');
    expect(kept()).toEqual(['2', '2', '12']);
  });
  test('forgets the briefs that show an object of the type, however far', async () => {
    // A room shows its house; a district counts the houses below it and the districts between.
    const { cache, kept } = await briefs(
      ['town.room', 'brief'],
      ['town.district', 'brief'],
      ['town.house', 'brief'],
      ['people.person', 'brief'],
    );
    cache.invalidate(typeId('town.house'), '1');
    expect(kept()).toEqual(['', '', '2', '12']);
  });
  test('forgets a tree whose counts a moved branch changes', async () => {
    const { cache, kept } = await briefs(['town.district', 'brief']);
    cache.invalidate(typeId('town.district'), '9');
    expect(kept()).toEqual(['']);
  });
  test('empties what depends on a type', async () => {
    const cache = new Cache(catalogue);
    const totals = cache.region<string>('totals', ['town.house', 'town.room']);
    for (const [type, left] of [
      ['people.person', 'x'],
      ['town.room', undefined],
    ] as const) {
      await totals.fill(async () => new Map([['', 'x']]));
      cache.invalidate(typeId(type), '1');
      expect(totals.get('')).toBe(left);
    }
    expect(cache.region('totals', [])).toBe(totals);
  });
  test('forgets what depends on objects of any type when any object changes', async () => {
    const cache = new Cache(catalogue);
    const region = cache.region<string>('tagged', ['*']);
    await region.fill(async () => new Map([['1', '2']]));
    expect(region.get('1')).toBe('2');
    cache.invalidate(typeId([...catalogue.models.keys()][0]!), '1');
    expect(region.get('1')).toBeUndefined();
  });
  test('forgets all objects of a type, and what shows them, when they are too many to be named', async () => {
    const { cache, kept } = await briefs(['extras.tag', 'brief'], ['town.house', 'brief']);
    cache.invalidate(typeId('town.house'), '0');
    expect(kept()).toEqual(['12', '']);
  });
  test('forgets everything when it must', async () => {
    for (const forget of [(c: Cache) => c.invalidateAll(), (c: Cache) => c.invalidate(ANY_TYPE, '0')]) {
      const { cache, kept } = await briefs(['extras.tag', 'brief']);
      const region = cache.region<string>('x', ['town.note']);
      await region.fill(async () => new Map([['', 'x']]));
      forget(cache);
      expect([kept(), region.get('')]).toEqual([[''], undefined]);
    }
  });
  test('does not mind types that it does not know', async () => {
    const { cache, kept } = await briefs(['extras.tag', 'brief']);
    cache.invalidate(12345, '1');
    expect(kept()).toEqual(['12']);
  });
});

test('a brief stands under any address of the server', () => {
  const brief = new Brief(['{"url":"', '/a/","b":"', '/c/"}']);
  expect([brief.at('http://x'), brief.at('http://x'), brief.at('http://y'), brief.at('')]).toEqual([
    '{"url":"http://x/a/","b":"http://x/c/"}',
    '{"url":"http://x/a/","b":"http://x/c/"}',
    '{"url":"http://y/a/","b":"http://y/c/"}',
    '{"url":"/a/","b":"/c/"}',
  ]);
});

test('a kind of which nothing is remembered takes no room', () => {
  const before = process.memoryUsage().arrayBuffers;
  const regions = Array.from({ length: 100 }, () => new CacheRegion<string>(50_000));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThanOrEqual(0);
  expect(regions.every((region) => region.get('1') === undefined)).toBe(true);
});

test('no more entries are remembered than there may be, nor more than there is room for', async () => {
  const kept = async (region: CacheRegion<string>) => {
    await region.fill(async () => new Map(['a', 'b', 'c', 'd'].map((key) => [key, key])));
    return ['a', 'b', 'c', 'd'].map((key) => region.get(key));
  };
  expect(await kept(new CacheRegion(3))).toEqual([undefined, 'b', 'c', 'd']);
  expect(await kept(new CacheRegion(3, { most: 900, of: () => 1 }))).toEqual([undefined, 'b', 'c', 'd']);
  expect(await kept(new CacheRegion(3, { most: 900, of: () => 450 }))).toEqual([undefined, undefined, 'c', 'd']);
});
