import type { Lookup } from '@cadastre/model';
import type { Comparing } from '../lookups/compare.ts';
import { type FilterContext, idsOf } from './context.ts';

export async function tag(
  by: 'slug' | 'id',
  lookup: Lookup,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  types.add('extras.tag');
  const nulls = values.includes('null');
  const rest = values.filter((v) => v !== 'null');
  const ids = rest.length ? await idsOf({ type: 'extras.tag', by, values: rest, tree: false }, context, comparing) : [];
  if (!ids) return undefined;
  const tagged = ids.length ? tagsHold(lookup, `${context.binder.bind(ids)}::bigint[]`) : undefined;
  if (!nulls) return tagged;
  // All values must hold, or none of those that are excluded; only of `any` one is enough.
  const bare = lookup.negated ? 'cardinality(t.tags) > 0' : 'cardinality(t.tags) = 0';
  return tagged ? `(${bare} ${lookup.compare === 'contains' ? 'or' : 'and'} ${tagged})` : bare;
}

function tagsHold(lookup: Lookup, bound: string): string {
  return lookup.negated
    ? `not (t.tags && ${bound})`
    : lookup.compare === 'contains'
      ? `t.tags && ${bound}`
      : `t.tags @> ${bound}`;
}
