import { arrayItems, type Cell, columnName, MASK, type Model } from '@cadastre/model';

/** What snapshots need to know of other objects. */
export interface SnapshotContext {
  /** The name of a tag, by its id. */
  tagName(id: string): string;
  /** The ids of a list of objects of a type, as a row holds it, in the order that lists of their type have. */
  inOrder(type: string, list: Cell): readonly string[];
}

/** JSON text of the lists that are part of an object, by field. */
export type OwnLists = ReadonlyMap<string, string>;

type Print = (cell: Cell, around: SnapshotContext) => string;
type Index = ReadonlyMap<string, number>;

/** One member: its prefix, with the position of its cell and how that is printed, or with the list that it is. */
type Part = { begin: string } & ({ at: number; print: Print } | { list: string });

const known = new WeakMap<Index, { model: Model; parts: Part[] }>();

function partsOf(model: Model, index: Index): Part[] {
  const found = known.get(index);
  if (found?.model === model) return found.parts;
  const parts = inSnapshotOrder(model).flatMap(([name, field]): Part[] => {
    const begin = `${JSON.stringify(name)}:`;
    if (field.owned && !field.hidden) return [{ begin, list: name }];
    const at =
      field.column && !field.secret && name !== 'last_updated' ? index.get(columnName(name, field)) : undefined;
    return at === undefined ? [] : [{ begin, at, print: printerOf(field) }];
  });
  known.set(index, { model, parts });
  return parts;
}

/**
 * Fields that every object may have come first; lists of references, custom fields and tags come last, in this order.
 */
function inSnapshotOrder(model: Model): [string, Model['fields'][string]][] {
  const rank = (name: string, { relation, special, owned }: Model['fields'][string]): number => {
    if (special) return special === 'tags' ? FIRST.length + 3 : FIRST.length + 2;
    const place = FIRST.indexOf(name);
    if (place >= 0) return place;
    return FIRST.length + (relation?.many || owned ? 1 : 0);
  };
  return Object.entries(model.fields)
    .map(([name, field]) => ({ entry: [name, field] as [string, Model['fields'][string]], rank: rank(name, field) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}
const FIRST = ['created', 'owner', 'description', 'comments'];

function printerOf({ special, printSnapshot, relation, print }: Model['fields'][string]): Print {
  if (special === 'tags')
    return (cell, { tagName }) => JSON.stringify((cell === null ? [] : arrayItems(cell)).map(tagName).sort());
  if (relation?.many) return (cell, { inOrder }) => `[${inOrder(relation.to, cell).join(',')}]`;
  if (printSnapshot) return (cell) => printSnapshot(cell);
  if (relation) return (cell) => cell ?? 'null';
  return print ? (cell) => print(cell) : (cell) => JSON.stringify(cell);
}

/**
 * The reduced picture of a row that change records and webhooks carry: stored values by field name, references as ids,
 * tags as sorted names, and the lists that are part of the object. Secrets and the time of the last change are left
 * out. JSON text.
 */
export const snapshotOf = (
  model: Model,
  index: Index,
  cells: Cell[],
  around: SnapshotContext,
  { secrets = '', lists }: { secrets?: string; lists?: OwnLists | undefined } = {},
): string =>
  `{${partsOf(model, index)
    .map(
      (part) =>
        part.begin + ('list' in part ? (lists?.get(part.list) ?? '[]') : part.print(cells[part.at] ?? null, around)),
    )
    .join(',')}${secrets}}`;

/** Stands for a secret after it was changed, so that a record of that change shows that it differs. */
const CHANGED_MASK = '***CHANGED***';

/**
 * Members for the secrets that differ between two rows, to be appended to the snapshots before and after: they show
 * that the secrets changed, and nothing else.
 */
export function changedSecrets(
  model: Model,
  index: Index,
  before: Cell[] | null,
  after: Cell[] | null,
): { before: string; after: string } {
  if (!before || !after) return { before: '', after: '' };
  const changed = Object.entries(model.fields).filter(([name, field]) => {
    const at = field.secret && !field.hidden && field.column ? index.get(columnName(name, field)) : undefined;
    return at !== undefined && before[at] !== after[at];
  });
  const members = (mask: string): string => changed.map(([name]) => `,${JSON.stringify(name)}:"${mask}"`).join('');
  return { before: members(MASK), after: members(CHANGED_MASK) };
}
