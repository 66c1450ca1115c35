import { describe, expect, test } from '@jest/globals';
import { atLeast, findingsIn } from './audit.ts';
import { type Bill, licencesDocument, refusedOf, shippedIn } from './bill.ts';

const component = (name: string, licence?: string, version = '1.0.0') => ({
  name,
  version,
  ...(licence === undefined
    ? {}
    : { licenses: [/ /.test(licence) ? { expression: licence } : { license: { id: licence } }] }),
});
const bill = (...components: Bill['components']): Bill => ({ bomFormat: 'CycloneDX', components });

describe('a bill of materials', () => {
  test('names what others made, by name and version', () => {
    const all = shippedIn(
      bill(
        component('b', 'MIT', '2.0.0'),
        { ...component('own'), group: '@ours' },
        { ...component('c', 'ISC'), group: '@a' },
        component('b', 'MIT'),
        component('a'),
        component('p-linux-arm64', 'MIT'),
      ),
      '@ours',
    );
    expect(all).toEqual([
      { name: '@a/c', version: '1.0.0', licence: 'ISC' },
      { name: 'a', version: '1.0.0', licence: '' },
      { name: 'b', version: '1.0.0', licence: 'MIT' },
      { name: 'b', version: '2.0.0', licence: 'MIT' },
      { name: 'p-*', version: '1.0.0', licence: 'MIT' },
    ]);
    expect(licencesDocument(all)).toContain('| b | 2.0.0 | MIT |');
  });
  test('that say their licence twice have one', () => {
    const twice = { ...component('a'), licenses: [{ license: { id: 'MIT' } }, { license: { id: 'MIT' } }] };
    expect(shippedIn(bill(twice), '@ours')).toEqual([{ name: 'a', version: '1.0.0', licence: 'MIT' }]);
  });

  test.each<[licence: string | undefined, fine: boolean]>([
    ['MIT', true],
    ['Apache-2.0', true],
    ['GPL-3.0', false],
    [undefined, false],
    ['(GPL-2.0 OR MIT)', true],
    ['(MIT AND CC0-1.0)', true],
    ['MIT AND GPL-2.0', false],
  ])('under %s a package may be shipped: %s', (licence, fine) => {
    expect(refusedOf(shippedIn(bill(component('a', licence)), '@ours'))).toHaveLength(fine ? 0 : 1);
  });
});

describe('an audit', () => {
  const report = {
    vulnerabilities: {
      a: { severity: 'high', via: [{ title: 'Anything', url: 'https://advisories.example/1' }] },
      b: { severity: 'low', via: ['a'] },
    },
  };
  test('tells what is known, and what is bad', () => {
    const found = findingsIn(report)!;
    expect(found.map(({ name, advisories }) => [name, advisories])).toEqual([
      ['a', ['Anything (https://advisories.example/1)']],
      ['b', ['by a']],
    ]);
    expect(atLeast(found, 'high').map(({ name }) => name)).toEqual(['a']);
    expect(atLeast(found, 'info')).toHaveLength(2);
  });
  test('that nobody answered tells nothing', () => {
    for (const nothing of [{ error: { code: 'E405' } }, null, undefined]) expect(findingsIn(nothing)).toBeUndefined();
    expect(findingsIn({ vulnerabilities: {} })).toEqual([]);
  });
});
