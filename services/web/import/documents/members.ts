import { type Catalogue, type DocumentPart, type Documents, isDict, type Json, type Model } from '@cadastre/model';

/** The lists that an object of a file holds, as the file has them. */
interface Holding {
  parts: Readonly<Record<string, Json>>;
}

/** Whether any object of a file has parts. */
export const hasParts = (drafts: readonly Holding[]): boolean => drafts.some((draft) => partsIn(draft) > 0);

/** How many parts an object of a file has. */
export const partsIn = ({ parts }: Holding): number =>
  Object.values(parts).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);

/** Whether a member of a document is no field, but says something of what is inside, or nothing. */
export const isOfDocument = ({ documents }: Model, name: string): boolean =>
  documents !== undefined &&
  (isList(documents, name) || name in (documents.also ?? {}) || (documents.ignored ?? []).includes(name));

/** Whether a member of a document is a list of parts, or of rows of theirs. */
export const isList = ({ parts, joined = {} }: Documents, name: string): boolean => name in parts || name in joined;

/** Members of parts that are no fields of theirs, as `interfaces: wlan_role`, each once. */
export function unknownMembers(drafts: readonly Holding[], { documents }: Model, catalogue: Catalogue): string[] {
  const unknown = new Set<string>();
  for (const { parts } of drafts)
    for (const [list, items] of Object.entries(parts)) {
      const known = documents && membersOf(documents, list, catalogue);
      for (const item of Array.isArray(items) ? items : [])
        if (isDict(item)) for (const name of Object.keys(item)) if (!known?.has(name)) unknown.add(`${list}: ${name}`);
    }
  return [...unknown];
}

/** What an item of a list may say. */
function membersOf({ parts, joined = {} }: Documents, list: string, catalogue: Catalogue): Set<string> {
  const join = joined[list];
  if (join) return new Set([join.by, ...Object.values(join.members)]);
  const kind: DocumentPart | undefined = parts[list];
  return new Set([
    ...Object.keys(catalogue.models.get(kind?.type ?? '')?.fields ?? {}),
    ...Object.values(kind?.row?.members ?? {}),
    ...(kind?.component ? [kind.component.name] : []),
  ]);
}
