import { type Catalogue, type DocumentPart, type Documents, isDict, type Json, type Model } from '@cadastre/model';

/** An object of a file with its lists of parts, as they are in the file. */
interface Holding {
  parts: Readonly<Record<string, Json>>;
}

/** Whether any object of a file has parts. */
export const hasParts = (drafts: readonly Holding[]): boolean => drafts.some((draft) => partsIn(draft) > 0);

/** How many parts an object of a file has. */
export const partsIn = ({ parts }: Holding): number =>
  Object.values(parts).reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : list === null ? 0 : 1),
    0,
  );

/** Whether a member of a document is not an ordinary field: a list of parts, another name for a field, or ignored. */
export const isOfDocument = ({ documents }: Model, name: string): boolean =>
  documents !== undefined &&
  (isList(documents, name) || fieldOf(documents, name) !== name || (documents.ignored ?? []).includes(name));

/** The field for a member of a document, which may use another name. */
export const fieldOf = (documents: Documents | undefined, name: string): string =>
  documents?.also && Object.hasOwn(documents.also, name) ? documents.also[name]! : name;

/** Whether a member of a document is a list of parts, or of rows that belong to parts. */
export const isList = ({ parts, joined = {} }: Documents, name: string): boolean =>
  Object.hasOwn(parts, name) || Object.hasOwn(joined, name);

/** Unknown members of parts, such as `interfaces: wlan_role`, each once. */
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

/** The members that an item of a list may have. */
function membersOf({ parts, joined = {} }: Documents, list: string, catalogue: Catalogue): Set<string> {
  const join = Object.hasOwn(joined, list) ? joined[list] : undefined;
  if (join) return new Set([join.by, ...Object.values(join.members)]);
  const kind: DocumentPart | undefined = parts[list];
  return new Set([
    ...Object.keys(catalogue.models.get(kind?.type ?? '')?.fields ?? {}),
    ...Object.values(kind?.row?.members ?? {}),
    ...(kind?.component ? [kind.component.name] : []),
  ]);
}
