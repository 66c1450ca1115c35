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
  nobody: [],
  snapshots: { prechange: { status: 'planned' }, postchange: { status: 'active' } },
};
const holds = (conditions: unknown) => evaluate(parseConditions(conditions, 100), site);

describe('conditions', () => {
  test.each([
    [{ attr: 'status.value', value: 'active' }, true],
    [{ attr: 'status.value', value: 'active', negate: true }, false],
    [
      {
        and: [
          { attr: 'status.value', value: 'active' },
          { attr: 'latitude', op: 'gt', value: 50 },
        ],
      },
      true,
    ],
    [{ or: [{ attr: 'name', value: 'x' }, { and: [{ attr: 'latitude', op: 'lte', value: 52.5 }] }] }, true],
    [{ AND: [{ attr: 'latitude', op: 'lt', value: 52.5 }] }, false],
    [{ and: [] }, true],
    [{ or: [] }, false],
    [{ attr: 'tags.slug', op: 'contains', value: 'bravo' }, true],
    [{ attr: 'tags.slug', op: 'contains', value: 'charlie' }, false],
    [{ attr: 'status.value', op: 'in', value: ['planned', 'active'] }, true],
    [{ attr: 'name', op: 'contains', value: 'ER' }, true],
    [{ attr: 'region', value: null }, true],
    [{ attr: 'enabled', value: true }, true],
    [{ attr: 'enabled', value: 1 }, true],
    [{ attr: 'enabled', op: 'in', value: [1, 2] }, true],
    [{ attr: 'enabled', op: 'gte', value: 1 }, true],
    [{ attr: 'enabled', value: 'true' }, false],
    [{ attr: 'latitude', value: '52.5' }, false],
    [{ attr: 'status', value: 'active' }, false],
    [{ attr: 'status', op: 'contains', value: 'label' }, true],
    [{ attr: 'tags.slug', value: ['alpha', 'bravo'] }, true],
    [{ attr: 'tags.slug', op: 'in', value: [['alpha', 'bravo']] }, true],
    [{ attr: 'nobody.slug', op: 'contains', value: 'x', negate: true }, true],
    [
      {
        or: [
          { attr: 'name', value: 'BER1' },
          { attr: 'nothing', value: 1 },
        ],
      },
      true,
    ],
    [{ attr: 'name', op: 'regex', value: 'B.R' }, true],
    [{ attr: 'name', op: 'regex', value: 'ER' }, false],
    [{ attr: 'name', op: 'regex', value: '(?i)ber\\d\\Z' }, true],
    [{ attr: 'snapshots.prechange.status', value: 'planned' }, true],
    [
      {
        and: [
          { attr: 'snapshots.prechange.status', value: 'active', negate: true },
          { attr: 'snapshots.postchange.status', value: 'active' },
        ],
      },
      true,
    ],
  ])('%j is %p', (conditions, expected) => {
    expect(holds(conditions)).toBe(expected);
  });

  test.each([
    [{ attr: 'snapshots.prechange.status', value: 'planned' }, false],
    [{ attr: 'snapshots.prechange.status', value: 'active', negate: true }, true],
    [{ attr: 'snapshots.prechange.status', op: 'regex', value: '.*' }, false],
    [{ attr: 'snapshots.prechange.status', value: null }, true],
    [{ attr: 'snapshots.prechange', value: null }, true],
    [{ attr: 'snapshots.postchange.status', value: 'active' }, true],
  ])('%j of an object that is new is %p', (conditions, expected) => {
    expect(
      evaluate(parseConditions(conditions, 100), {
        ...site,
        snapshots: { prechange: null, postchange: { status: 'active' } },
      }),
    ).toBe(expected);
  });

  test.each([
    [{ attr: 'snapshots.before.status', value: 1 }, 'Invalid key path: snapshots.before.status'],
    [{ attr: 'snapshots.prechange.nothing', value: 1 }, 'Invalid key path: snapshots.prechange.nothing'],
    [{ attr: 'snapshots.prechange.status.value', value: 1 }, 'Invalid key path: snapshots.prechange.status.value'],
    [
      {
        or: [
          { attr: 'name', value: 'x' },
          { attr: 'nothing', value: 1, negate: true },
        ],
      },
      'Invalid key path: nothing',
    ],
    [{ attr: 'latitude', op: 'contains', value: 5 }, "Invalid data type at 'latitude' for 'contains' evaluation"],
    [{ attr: 'region', op: 'gt', value: 5 }, "Invalid data type at 'region' for 'gt' evaluation"],
    [{ attr: 'name', op: 'contains', value: 5 }, "Invalid data type at 'name' for 'contains' evaluation"],
    [{ attr: 'tags.nothing', value: 1 }, 'Invalid key path: tags.nothing'],
    [{ attr: 'tags.0.slug', value: 1 }, 'Invalid key path: tags.0.slug'],
    [{ attr: '__proto__.x', value: 1 }, 'Invalid key path: __proto__.x'],
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
    [[], "Ruleset must be a dictionary, not <class 'list'>."],
    ['x', "Ruleset must be a dictionary, not <class 'str'>."],
    [{ attr: 'a', values: 1 }, 'Incorrect key(s) informed. Please check documentation.'],
    [{ attr: 'a', value: 1, extra: 1 }, 'Incorrect key(s) informed. Please check documentation.'],
    [
      { attr: 'a', value: 1, op: 'like' },
      'Unknown operator: like. Must be one of: eq, gt, gte, lt, lte, in, contains, regex',
    ],
    [{ attr: 'a', value: {} }, "Unsupported value type: <class 'dict'>"],
    [{ attr: 'a', value: true, op: 'gt' }, "Invalid type for gt operation: <class 'bool'>"],
    [{ attr: 'a', value: 1, op: 'regex' }, "Invalid type for regex operation: <class 'int'>"],
    [{ and: { attr: 'a', value: 1 } }, "The rules under 'and' must be a list."],
    [{ and: [3] }, "Ruleset must be a dictionary, not <class 'int'>. (at and[0])"],
    [
      { and: [{ attr: 'a', op: 'regex', value: '(' }] },
      'Invalid regular expression: /(/: Unterminated group (at and[0])',
    ],
    [
      {
        and: [
          { attr: 'a', value: 1 },
          {
            or: [
              { attr: 'a', value: 1 },
              { attr: 'b', value: 1, op: 'like' },
            ],
          },
        ],
      },
      'Unknown operator: like. Must be one of: eq, gt, gte, lt, lte, in, contains, regex (at and[1].or[1])',
    ],
    [
      { and: [{ attr: 'a', value: 1 }, { xor: [] }] },
      "Invalid logic type: must be 'AND' or 'OR'. Please check documentation. (at and[1])",
    ],
    [{ and: [{}] }, 'Incorrect key(s) informed. Please check documentation. (at and[0])'],
    [{ attr: 'a', value: 1, op: 7 }, 'Unknown operator: 7. Must be one of: eq, gt, gte, lt, lte, in, contains, regex'],
    [{ attr: 'a', value: 'x', op: 'in' }, "Invalid type for in operation: <class 'str'>"],
    [{ attr: 'a', value: null, op: 'gt' }, "Invalid type for gt operation: <class 'NoneType'>"],
    [{ attr: 'a', value: 1.5, op: 'in' }, "Invalid type for in operation: <class 'float'>"],
    [{ attr: 'a..b', value: 1 }, 'Invalid key path: a..b'],
    [{ attr: '', value: 1 }, 'The attribute of a condition must be a string.'],
    [{ attr: 'a', value: 1, negate: 'no' }, "The key 'negate' of a condition must be true or false."],
    [{ attr: 'a', op: 'regex', value: 'x'.repeat(101) }, 'Regular expressions may have at most 100 characters.'],
  ])('%j is refused', (conditions, message) => {
    expect(checkConditions(conditions, 100)).toBe(message);
  });

  test('nothing, and what is right, is accepted; depth is bounded', () => {
    expect(checkConditions(null, 100)).toBeNull();
    expect(checkConditions({}, 100)).toBeNull();
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
