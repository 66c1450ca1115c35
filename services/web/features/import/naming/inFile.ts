import { isDict, type Model } from '@cadastre/model';
import type { Draft, Named } from '../drafts/draft.ts';
import { textsOf, type Wanted } from './candidates.ts';

/** Rows by what they are called, made once for a file. */
const known = new WeakMap<readonly Draft[], Map<string, Map<string, Draft[]>>>();

function rowsBy(drafts: readonly Draft[], attribute: string): ReadonlyMap<string, Draft[]> {
  let all = known.get(drafts);
  if (!all) known.set(drafts, (all = new Map()));
  let one = all.get(attribute);
  if (!one) {
    const rows = drafts.filter(({ body }) => body['id'] === undefined);
    all.set(
      attribute,
      (one = Map.groupBy(
        rows.filter((draft) => draft.body[attribute] !== undefined),
        (draft) => String(draft.body[attribute]).toLowerCase(),
      )),
    );
  }
  return one;
}

/** Whether a reference means another new row of the same file: a parent further up, the LAG of a port. */
export function inFile(
  draft: Draft,
  { column, id, known: said }: Named,
  asked: readonly Wanted[],
  model: Model,
  drafts: readonly Draft[],
): boolean {
  if (column.widget?.kind !== 'picker') return false;
  for (const { model: type, attribute, text, within } of asked) {
    if (type !== model || attribute === 'id') continue;
    const some = (rowsBy(drafts, attribute).get(text.toLowerCase()) ?? []).filter(
      (one) =>
        one !== draft &&
        liesThere(one, within) &&
        (id === undefined || one.said['id'] === undefined || Number(one.said['id']) === id),
    );
    const left = said
      ? some.filter(({ said: row }) => textsOf(row['display'])[0] === textsOf(said['display'])[0])
      : some;
    const [one] = left.length === 1 ? left : some;
    if (one && (some.length === 1 || left.length === 1)) {
      draft.after[column.widget.name] = one.nth;
      return true;
    }
  }
  return false;
}

/**
 * Whether another row lies in the places that are searched. If it names no such place, only a place given by name
 * counts as matching, as it cannot be checked.
 */
const liesThere = ({ found }: Draft, within: Wanted['within']): boolean =>
  Object.entries(within).every(([filter, value]) => {
    const place = found[filter.replace(/_id$/, '')];
    if (!place) return !filter.endsWith('_id');
    return filter.endsWith('_id')
      ? place.id === value
      : Object.values(place.object).some(
          (one) => !isDict(one) && String(one).toLowerCase() === String(value).toLowerCase(),
        );
  });
