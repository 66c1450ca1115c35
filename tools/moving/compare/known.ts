import type { Json } from '../json.ts';
import { isThing } from '../json.ts';
import type { Listed } from '../lists.ts';

/** The key by which an object is recognised on both sides. */
export type Key = number | string;

/** How the objects of a list are matched between both sides. */
export interface KnownBy {
  keyOf(object: Listed): Key;
  /** Fields without meaning: they follow from the id, or from the comparison itself. */
  own: readonly string[];
}

const BY_ID: KnownBy = { keyOf: ({ id }) => id, own: [] };
const OWN = ['id', 'url', 'display_url'];
const slugOf = (tag: Json | undefined): string => String(isThing(tag) ? tag['slug'] : tag);

const OBJECT_TYPES: KnownBy = { keyOf: (one) => `${String(one['app_label'])}.${String(one['model'])}`, own: OWN };

/**
 * Most of these have other ids in each installation: they are not created by users, and nothing refers to their ids.
 */
const OTHERS: Readonly<Record<string, KnownBy>> = {
  '/api/core/object-types/': OBJECT_TYPES,
  '/api/extras/object-types/': OBJECT_TYPES,
  // The comparison uses tokens.
  '/api/users/tokens/': { ...BY_ID, own: ['last_used'] },
  '/api/extras/tagged-objects/': {
    keyOf: (one) => `${String(one['object_type'])} ${String(one['object_id'])} ${slugOf(one['tag'])}`,
    own: OWN,
  },
};

/** Lists of past events of an installation: after a move, the new one adds records of its own. */
const LOGS: ReadonlySet<string> = new Set([
  '/api/core/object-changes/',
  '/api/extras/object-changes/',
  '/api/core/security-events/',
]);

/** Whether the second side may have additional objects in a list. */
export const goesOn = (list: string): boolean => LOGS.has(list);

export const knownBy = (list: string): KnownBy => OTHERS[list] ?? BY_ID;
