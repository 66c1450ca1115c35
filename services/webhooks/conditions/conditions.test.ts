import { describe, expect, test } from '@jest/globals';
import { ConditionMismatch, evaluate } from './evaluate.ts';
import { checkConditions, parseConditions } from './grammar.ts';
import { matches, readPattern } from './pattern.ts';

const site = {
  name: 'BER1',
  status: { value: 'active', label: 'Active' },
  tags: [{ slug: 'alpha' }, { slug: 'bravo' }],
  latitude: 52.5,
  enabled: true,
  region: null,
  snapshots: { prechange: { status: 'planned' }, postchange: { status: 'active' } },
};
const holds = (conditions: unknown) => evaluate(parseConditions(conditions, 100), site);

describe('conditions', () => {
  test.each([
    [{ attr: 'status.value', value: 'active' }, true],
    [{ attr: 'status.value', value: 'active', negate: true }, false],
    [{ and: [{ attr: 'status.value', value: 'active' }, { attr: 'latitude', op: 'gt', value: 50 }] }, true],
    [{ or: [{ attr: 'name', value: 'x' }, { and: [{ attr: 'latitude', op: 'lte', value: 52.5 }] }] }, true],
    [{ AND: [{ attr: 'latitude', op: 'lt', value: 52.5 }] }, false],
    [{ and: [] }, true],
    [{ or: [] }, false],
    [{ attr: 'tags.slug', op: 'contains', value: 'bravo' }, true],
    [{ attr: 'tags.slug', op: 'contains', value: 'charlie' }, false],
    [{ attr: 'status.value', op: 'in', value: ['planned', 'active'] }, true],
    [{ attr: 'name', op: 'in', value: 'xBER1x' }, true],
    [{ attr: 'name', op: 'contains', value: 'ER' }, true],
    [{ attr: 'region', value: null }, true],
    [{ attr: 'enabled', value: true }, true],
    [{ attr: 'enabled', value: 1 }, false],
    [{ attr: 'name', op: 'regex', value: 'B.R' }, true],
    [{ attr: 'name', op: 'regex', value: 'ER' }, false],
    [{ attr: 'name', op: 'regex', value: '(?i)ber\\d\\Z' }, true],
    [{ attr: 'snapshots.prechange.status', value: 'planned' }, true],
    [{ and: [{ attr: 'snapshots.prechange.status', value: 'active', negate: true }, { attr: 'snapshots.postchange.status', value: 'active' }] }, true],
  ])('%j is %p', (conditions, expected) => {
    expect(holds(conditions)).toBe(expected);
  });

  test.each([
    [{ attr: 'nothing', value: 1 }, 'Invalid key path: nothing'],
    [{ attr: 'constructor.name', value: 'Object' }, 'Invalid key path: constructor.name'],
    [{ attr: 'region.name', value: 'x' }, 'Invalid key path: region.name'],
    [{ attr: 'name', op: 'gt', value: 1 }, "Invalid data type at 'name' for 'gt' evaluation"],
    [{ attr: 'latitude', op: 'regex', value: '5' }, "Invalid data type at 'latitude' for 'regex' evaluation"],
  ])('%j does not fit the data', (conditions, message) => {
    expect(() => holds(conditions)).toThrow(new ConditionMismatch(message));
  });

  test.each([
    [{ bogus: 1 }, "Invalid logic type: must be 'AND' or 'OR'. Please check documentation."],
    [[], 'Ruleset must be a dictionary, not list.'],
    ['x', 'Ruleset must be a dictionary, not str.'],
    [{}, 'Incorrect key(s) informed. Please check documentation.'],
    [{ attr: 'a', values: 1 }, 'Incorrect key(s) informed. Please check documentation.'],
    [{ attr: 'a', value: 1, extra: 1 }, 'Incorrect key(s) informed. Please check documentation.'],
    [{ attr: 'a', value: 1, op: 'like' }, 'Unknown operator: like. Must be one of: eq, gt, gte, lt, lte, in, contains, regex'],
    [{ attr: 'a', value: {} }, 'Unsupported value type: dict'],
    [{ attr: 'a', value: true, op: 'gt' }, 'Invalid type for gt operation: bool'],
    [{ attr: 'a', value: 1, op: 'regex' }, 'Invalid type for regex operation: number'],
    [{ and: { attr: 'a', value: 1 } }, "The rules under 'and' must be a list."],
    [{ and: [3] }, 'Ruleset must be a dictionary, not number.'],
    [{ and: [{ attr: 'a', op: 'regex', value: '(' }] }, 'Invalid regular expression: /(/: Unterminated group'],
    [{ attr: 'a', op: 'regex', value: 'x'.repeat(101) }, 'Regular expressions may have at most 100 characters.'],
  ])('%j is refused', (conditions, message) => {
    expect(checkConditions(conditions, 100)).toBe(message);
  });

  test('nothing, and what is right, is accepted; depth is bounded', () => {
    expect(checkConditions(null, 100)).toBeNull();
    expect(checkConditions({ or: [{ attr: 'a', value: 1, negate: false }] }, 100)).toBeNull();
    let deep: unknown = { attr: 'a', value: 1 };
    for (let i = 0; i < 10_000; i += 1) deep = { and: [deep] };
    expect(checkConditions(deep, 100)).toMatch(/nested/);
  });
});

describe('patterns', () => {
  test('Python spellings', () => {
    expect(matches(readPattern('(?P<a>x)(?P=a)$'), 'xx')).toBe(true);
    expect(matches(readPattern('\\Ax\\Z'), 'x')).toBe(true);
    expect(matches(readPattern('\\(\\?P<'), '(?P<')).toBe(true);
    expect(() => readPattern('a)(b')).toThrow(SyntaxError);
  });
});
