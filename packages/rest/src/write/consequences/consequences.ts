import type { Cell, Model, Values } from '@cadastre/model';

/** Objects to be deleted, in the order in which they were found: what refers to an object comes after it. */
export interface DeletedRows {
  model: Model;
  rows: Map<number, Cell[]>;
}

/** An object that stands in the way of a deletion. There may be very many, and only the first are looked at. */
export interface Dependent {
  model: Model;
  id: number;
}

export interface Consequences {
  deleted: DeletedRows[];
  /** Objects that stand in the way. */
  dependents: Dependent[];
  /** Objects that lose references, or a part of what they are. */
  cleared: Cleared[];
  /**
   * There are more objects that lose references than are handled at once: these are the first, and all other
   * consequences are left for later.
   */
  more?: true;
  /** Objects that would no longer be unique: those that lose a reference, and what they would be the same as. */
  clashing: Dependent[];
}

export interface Cleared {
  model: Model;
  objects: Map<number, Loss>;
}

/**
 * An object as it is, and the references that it loses: ids by field, and by custom field. The sets are those of the
 * deletion, shared by all that lose something. `after`: as it will be, where that is known already.
 */
export interface Loss {
  cells: Cell[];
  fields: Map<string, DeletedIds[]>;
  custom: Map<string, DeletedIds[]>;
  after?: Values;
}

export type DeletedIds = ReadonlySet<number>;

export const noConsequences = (): Consequences => ({ deleted: [], dependents: [], cleared: [], clashing: [] });

/** Notes that objects lose references in a field; an object may lose several, but is changed once. */
export function addLoss(
  out: Consequences,
  model: Model,
  rows: Cell[][],
  part: (loss: Loss) => Map<string, DeletedIds[]>,
  field: string,
  gone: DeletedIds,
): void {
  for (const loss of lossesOf(out, model, rows)) {
    const lost = part(loss);
    lost.set(field, [...(lost.get(field) ?? []), gone]);
  }
}

/** The losses of objects as noted so far; objects that are not among those that lose something are added. */
export function lossesOf(out: Consequences, model: Model, rows: Cell[][]): Loss[] {
  let entry = out.cleared.find((c) => c.model === model);
  if (!entry) out.cleared.push((entry = { model, objects: new Map() }));
  const { objects } = entry;
  return rows.map((cells) => {
    const id = Number(cells[0]);
    const loss = objects.get(id) ?? {
      cells,
      fields: new Map<string, DeletedIds[]>(),
      custom: new Map<string, DeletedIds[]>(),
    };
    objects.set(id, loss);
    return loss;
  });
}

/** Adds rows to those to be deleted; returns the ids that are new. */
export function addDeleted(out: Consequences, model: Model, rows: Cell[][]): number[] {
  let entry = out.deleted.find((d) => d.model === model);
  if (!entry) out.deleted.push((entry = { model, rows: new Map() }));
  const added: number[] = [];
  for (const cells of rows) {
    const id = Number(cells[0]);
    if (!entry.rows.has(id)) {
      entry.rows.set(id, cells);
      added.push(id);
    }
  }
  return added;
}

/**
 * Why consequences are looked for. `apply`: to carry them out. `ask`: only to learn what stands in the way, also of
 * objects that would be deleted along. `follow`: because the object is already deleted; what would have stood in the
 * way came too late (the deletion ran out of its time), and gives way. `preview`: only to report them; nothing is
 * locked, and all of them are looked for.
 */
export type Purpose = 'apply' | 'ask' | 'follow' | 'preview';
