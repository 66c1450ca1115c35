import { type Dict, type DocumentPart, type DocumentRow, type Documents, isDict, type Json } from '@cadastre/model';
import type { Messages, Origin } from './messages.ts';
import type { Part } from './read.ts';

interface Known {
  id: number;
  nth: number;
}

/** The parts that have been made, by what they are called in their document. */
export class Names {
  readonly #known = new Map<string, Known[]>();
  /** Lists with a part that could not be made: a name that is not found in them is no error of its own. */
  readonly #failed = new Set<string>();

  made({ at, list, nth, body }: Part, id: number): void {
    const key = keyOf(at, list, body['name']);
    this.#known.set(key, [...(this.#known.get(key) ?? []), { id, nth }]);
  }

  failed(list: string): void {
    this.#failed.add(list);
  }

  hasFailed = (list: string): boolean => this.#failed.has(list);

  /** Of several parts with the name, the nearest above the one that refers to it, where there is one above. */
  find(at: number, list: string, name: Json, below?: number): number | undefined {
    const known = this.#known.get(keyOf(at, list, name)) ?? [];
    const above = known.findLast(({ nth }) => below === undefined || nth < below);
    return (above ?? known.find(({ nth }) => nth !== below) ?? known[0])?.id;
  }
}

const keyOf = (at: number, list: string, name: Json | undefined): string =>
  JSON.stringify([at, list, String(name).trim()]);

const none = (name: Json, list: string): string[] => [`There is no “${String(name)}” among the ${list}.`];

/** Whether a value is the name of something, and not an id or the attributes of one. */
const isName = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/**
 * The body of a part with ids in the place of names, as far as they are those of other lists. A number is a name, too:
 * documents write names without quotes.
 */
export function namesReplaced(
  part: Part,
  kind: DocumentPart,
  documents: Documents,
  names: Names,
  messages: Messages,
): Dict {
  const { at, list, nth } = part;
  const body: Dict = { ...part.body };
  const place = [list, nth] as const;
  for (const [field, among] of Object.entries(kind.names ?? {})) {
    const name = body[field];
    if (!isName(name)) continue;
    delete body[field];
    if (among === list || names.hasFailed(among)) continue;
    const id = names.find(at, among, name);
    if (id === undefined) messages.part(at, place, { [field]: none(name, among) });
    else body[field] = id;
  }
  if (kind.component) componentOf(part, body, kind.component, documents, names, messages);
  const lists = [kind.row, ...Object.values(documents.joined ?? {}).filter(({ into }) => into === list)];
  for (const row of lists) if (row) rowsNamed(part, body, row, names, messages);
  return body;
}

/** Rows inside of a part with ids in the place of names; rows with unknown names are left out. */
function rowsNamed(
  part: Part,
  body: Dict,
  { list, names: fields }: DocumentRow,
  names: Names,
  messages: Messages,
): void {
  for (const [member, among] of Object.entries(fields)) {
    const rows = body[list];
    if (!Array.isArray(rows)) continue;
    const origins = part.rows[list] ?? [];
    const kept: [Json, Origin][] = rows.flatMap((one, i): [Json, Origin][] => {
      const origin = origins[i] ?? [part.list, part.nth];
      const name = isDict(one) ? one[member] : undefined;
      if (!isDict(one) || !isName(name)) return [[one, origin]];
      if (names.hasFailed(among)) return [];
      const id = names.find(part.at, among, name);
      if (id !== undefined) return [[{ ...one, [member]: { id } }, origin]];
      messages.part(part.at, origin, { [member]: none(name, among) });
      return [];
    });
    body[list] = kept.map(([one]) => one);
    part.rows[list] = kept.map(([, origin]) => origin);
  }
}

/**
 * The ids of the parts of its own list that a part names, by field; they are written once all of the list is stored.
 */
export function namesOfOwnList(part: Part, kind: DocumentPart, names: Names, messages: Messages): Dict | undefined {
  const own: Dict = {};
  for (const [field, among] of Object.entries(kind.names ?? {})) {
    const name = part.body[field];
    if (among !== part.list || !isName(name)) continue;
    const id = names.find(part.at, part.list, name, part.nth);
    if (id === undefined) messages.part(part.at, [part.list, part.nth], { [field]: none(name, among) });
    else own[field] = id;
  }
  return Object.keys(own).length ? own : undefined;
}

/** The generic relation of a part that names another one, of any list or of those with a type. */
function componentOf(
  { at, list, nth }: Part,
  body: Dict,
  { name: by, type, id: field }: NonNullable<DocumentPart['component']>,
  { parts }: Documents,
  names: Names,
  messages: Messages,
): void {
  const name = body[by];
  delete body[by];
  if (!isName(name)) return;
  const place = [list, nth] as const;
  const lists = Object.entries(parts).filter(
    ([one, kind]) => one !== list && (body[type] === undefined || [kind.type, one].includes(String(body[type]))),
  );
  if (lists.some(([one]) => names.hasFailed(one))) {
    delete body[type];
    return;
  }
  const found = lists.flatMap(([one, kind]) => {
    const id = names.find(at, one, name);
    return id === undefined ? [] : [{ list: one, type: kind.type, id }];
  });
  if (found.length === 1) Object.assign(body, { [type]: found[0]!.type, [field]: found[0]!.id });
  else
    messages.part(at, place, {
      [by]: found.length
        ? [`There is a “${name}” among the ${found.map((one) => one.list).join(' and the ')}: say which by ${type}.`]
        : none(name, lists.length === 1 ? lists[0]![0] : 'parts'),
    });
}
