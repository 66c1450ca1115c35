import { expect, test } from '@jest/globals';
import type { Json } from '../types/json.ts';
import { type CustomValueRules, customValueProblem } from './customValue.ts';

const field = (o: Partial<CustomValueRules>): CustomValueRules => ({
  type: 'text',
  required: false,
  minimum: null,
  maximum: null,
  regex: '',
  schema: null,
  choiceSet: null,
  ...o,
});
const tiers = { name: 'Tiers', values: new Set(['gold', 'silver']) };

test.each<[Partial<CustomValueRules>, Json, string]>([
  [{ required: true }, null, 'Required field cannot be empty.'],
  [{}, 1, 'Value must be a string.'],
  [{ regex: '^CC' }, 'X1', "Value must match regex '^CC'"],
  [{ type: 'integer' }, 1.5, 'Value must be an integer.'],
  [{ type: 'integer', minimum: 0 }, -1, 'Value must be at least 0.0000'],
  [{ type: 'integer', maximum: 99 }, 1000, 'Value must not exceed 99.0000'],
  [{ type: 'decimal' }, 'x', 'Value must be a decimal.'],
  [{ type: 'boolean' }, 'yes', 'Value must be true or false.'],
  [{ type: 'date' }, '2026-02-30', 'Date values must be in ISO 8601 format (YYYY-MM-DD).'],
  [{ type: 'datetime' }, 'now', 'Date and time values must be in ISO 8601 format (YYYY-MM-DD HH:MM:SS).'],
  [{ type: 'select', choiceSet: tiers }, 'bronze', 'Invalid choice (bronze) for choice set Tiers.'],
  [
    { type: 'multiselect', choiceSet: tiers },
    ['gold', 'tin'],
    'Invalid choice(s) (["gold","tin"]) for choice set Tiers.',
  ],
  [{ type: 'object' }, 'a', 'Value must be an object ID, not str'],
  [{ type: 'multiobject' }, 1, 'Value must be a list of object IDs, not int'],
  [{ type: 'multiobject' }, [1, 'b'], 'Found invalid object ID: b'],
])('%j refuses %j', (o, value, message) => {
  expect(customValueProblem(field(o), value)).toBe(message);
});

test.each<[Partial<CustomValueRules>, Json]>([
  [{ required: false, type: 'integer' }, null],
  [{ regex: 'CC' }, 'CC1'],
  [{ type: 'integer', minimum: 0, maximum: 99 }, 99],
  [{ type: 'decimal' }, '1.50'],
  [{ type: 'decimal' }, 2],
  [{ type: 'boolean' }, false],
  [{ type: 'date' }, '2026-02-28'],
  [{ type: 'datetime' }, '2026-02-28 12:00:00'],
  [{ type: 'select', choiceSet: tiers }, 'gold'],
  [{ type: 'multiselect', choiceSet: tiers }, ['gold', 'silver']],
  [{ type: 'json' }, { a: [1] }],
  [{ type: 'object' }, 5],
  [{ type: 'multiobject' }, [1, 2]],
])('%j accepts %j', (o, value) => {
  expect(customValueProblem(field(o), value)).toBeUndefined();
});
