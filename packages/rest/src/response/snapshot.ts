import { type Cell, columnName, type Model } from '@cadastre/model';

/** Names of tags by id, for the snapshots of tagged objects. */
export type TagNames = (id: string) => string;

type TagIds = (cell: Cell) => string[];
type Index = ReadonlyMap<string, number>;

/** One member: how it begins, where its cell stands, and how that is printed. */
interface Part { begin: string; at: number; print(cell: Cell, tagNames: TagNames, tagIds: TagIds): string }

const known = new WeakMap<Index, { model: Model; parts: Part[] }>();

function partsOf(model: Model, index: Index): Part[] {
  const found = known.get(index);
  if (found?.model === model) return found.parts;
  const parts = Object.entries(model.fields).flatMap(([name, field]): Part[] => {
    const at = field.column && !field.secret && name !== 'last_updated' ? index.get(columnName(name, field)) : undefined;
    return at === undefined ? [] : [{ begin: `${JSON.stringify(name)}:`, at, print: printerOf(field) }];
  });
  known.set(index, { model, parts });
  return parts;
}

function printerOf({ special, printSnapshot, relation, print }: Model['fields'][string]): Part['print'] {
  if (special === 'tags') return (cell, tagNames, tagIds) => JSON.stringify(tagIds(cell).map(tagNames).sort());
  if (printSnapshot) return (cell) => printSnapshot(cell);
  if (relation) return (cell) => cell ?? 'null';
  return print ? (cell) => print(cell) : (cell) => JSON.stringify(cell);
}

/**
 * The reduced picture of a row that change records and webhooks carry: stored values by field name, references as ids,
 * tags as sorted names. Secrets and the time of the last change are left out. JSON text.
 */
export const snapshotOf = (model: Model, index: Index, cells: Cell[], tagNames: TagNames, tagIds: TagIds): string =>
  `{${partsOf(model, index).map(({ begin, at, print }) => begin + print(cells[at] ?? null, tagNames, tagIds)).join(',')}}`;
