import type { Json } from '../json.ts';
import { differences } from './differences.ts';
import { goesOn, type Key, type KnownBy } from './known.ts';
import type { Pair } from './pairs.ts';

/** A field in which objects differ, with the first few of them. */
interface FieldTally {
  count: number;
  examples: { id: number; display: string; left: Json | undefined; right: Json | undefined }[];
}

/** The result for one list. */
export interface Tally {
  list: string;
  same: number;
  different: number;
  onlyLeft: { count: number; ids: Key[] };
  onlyRight: { count: number; ids: Key[] };
  fields: Map<string, FieldTally>;
  /** Why it could not be compared, or not completely. */
  problem?: string;
}

/** How many examples of a kind are kept. */
const KEPT = 10;

export const newTally = (list: string): Tally => ({
  list,
  same: 0,
  different: 0,
  onlyLeft: { count: 0, ids: [] },
  onlyRight: { count: 0, ids: [] },
  fields: new Map(),
});

/**
 * Whether both sides have the same in a list, as far as is known. The second side may have further records of a log.
 */
export const isEqual = ({ list, different, onlyLeft, onlyRight, problem }: Tally): boolean =>
  different === 0 && onlyLeft.count === 0 && (onlyRight.count === 0 || goesOn(list)) && problem === undefined;

/** Counts a pair; `ignored` fields, and everything inside them, are not compared. */
export function count(
  tally: Tally,
  [left, right]: Pair,
  ignored: (field: string) => boolean,
  keyOf: KnownBy['keyOf'] = ({ id }) => id,
): void {
  if (!left || !right) {
    const missing = left ? tally.onlyLeft : tally.onlyRight;
    missing.count += 1;
    if (missing.ids.length < KEPT) missing.ids.push(keyOf((left ?? right)!));
    return;
  }
  const found = differences(left, right).filter(({ field }) => !ignored(field));
  tally[found.length ? 'different' : 'same'] += 1;
  for (const { field, ...values } of found) {
    let known = tally.fields.get(field);
    if (!known) tally.fields.set(field, (known = { count: 0, examples: [] }));
    known.count += 1;
    if (known.examples.length < KEPT)
      known.examples.push({ id: left.id, display: String(left['display'] ?? ''), ...values });
  }
}

/**
 * Which fields of a list are not compared. `last_updated` leaves a field out everywhere, `dcim/devices:config_context`
 * in one list.
 */
export const ignoring =
  (words: readonly string[], list: string) =>
  (field: string): boolean =>
    words.some((word) => {
      const [where, name] = word.includes(':') ? word.split(':', 2) : [undefined, word];
      return (where === undefined || list === `/api/${where}/`) && (field === name || field.startsWith(`${name}.`));
    });
