import { arrayItems, type Field, fails, type Json, list, type Parsed, type Rule } from '@cadastre/model';

/** A range as PostgreSQL writes it, `[100,200)` or `[100,199]`: its first and last number. */
export function boundsOf(text: string): [number, number] {
  const [, from, first, last, to] = /^([[(])(-?\d+),(-?\d+)([\])])$/.exec(text)!;
  return [Number(first) + (from === '(' ? 1 : 0), Number(last) - (to === ')' ? 1 : 0)];
}

function rangeOf(value: Json): Parsed {
  if (!Array.isArray(value) || value.length !== 2) return fails('Ranges must be specified in the form (lower, upper).');
  if (!value.every((bound) => typeof bound === 'number' && Number.isSafeInteger(bound)))
    return fails('Range boundaries must be defined as integers.');
  return { value: `[${value.join(',')}]` };
}

/** Ranges of VLAN numbers. Shape: list of lists of the first and the last. */
export const vidRanges = (): Field =>
  list({
    element: 'int4range',
    item: rangeOf,
    print: (text) => `[${boundsOf(text).join(',')}]`,
    default: ['[1,4094]'],
    filter: false,
    metadataType: 'field',
    itemSchema: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
    child: { type: 'nested object', required: false, read_only: false },
  });

export const rangesIn = (value: Json | undefined): [number, number][] =>
  (typeof value === 'string' ? arrayItems(value) : ((value ?? []) as string[])).map(boundsOf);

/** `100-199, 300` */
export const rangesText = (ranges: [number, number][]): string =>
  ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');

const [LOWEST, HIGHEST] = [1, 4094];

/** Ranges consist of VLAN numbers and do not overlap; their total follows from them. */
export const rangesOfVids: Rule = (group) => {
  const ranges = rangesIn(group['vid_ranges']);
  const wrong = (message: string) => ({ vid_ranges: [message] });
  if (!ranges.length) return wrong('This field cannot be blank.');
  for (const [first, last] of ranges) {
    if (first < LOWEST) return wrong(`Starting VLAN ID in range (${first}) cannot be less than ${LOWEST}`);
    if (last > HIGHEST) return wrong(`Ending VLAN ID in range (${last}) cannot exceed ${HIGHEST}`);
    if (first > last)
      return wrong(`Ending VLAN ID in range must be greater than or equal to the starting VLAN ID (${first}-${last})`);
  }
  const sorted = ranges.toSorted(([a], [b]) => a - b);
  if (sorted.some(([first], i) => i > 0 && first <= sorted[i - 1]![1])) return wrong('Ranges cannot overlap.');
  group['total_vlan_ids'] = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return undefined;
};
