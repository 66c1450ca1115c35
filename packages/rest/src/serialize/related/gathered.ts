import type { Form } from '@cadastre/model';
import type { Brief } from '../../cache/cache.ts';
import type { IsHidden } from '../../visibility/visibility.ts';
import type { Links } from './batched.ts';
import type { SortedLists } from './sortedLists.ts';

/**
 * What was looked up: briefs by form, type and id; counts and lists by relation and id. Two look-ups instead of one
 * with a joined key, as printing asks often.
 */
export interface Gathered {
  briefs: ByForm<Map<string, Brief>>;
  reverse: Map<string, Map<string, string>>;
  displays: Map<string, ReadonlyMap<string, string>>;
  batched: Map<string, ReadonlyMap<string, string>>;
  links: Map<string, ReadonlyMap<string, Links>>;
  lists: Map<string, SortedLists>;
  hides: IsHidden;
}

export type ByForm<T> = { [form in Form]?: Map<string, T> };

export const nothing = (): Gathered => ({
  briefs: {},
  reverse: new Map(),
  displays: new Map(),
  batched: new Map(),
  links: new Map(),
  lists: new Map(),
  hides: () => false,
});
