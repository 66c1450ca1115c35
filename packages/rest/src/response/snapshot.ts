import { type Cell, columnName, type Model } from '@cadastre/model';

/** Names of tags by id, for the snapshots of tagged objects. */
export type TagNames = (id: string) => string;

/**
 * The reduced picture of a row that change records and webhooks carry: stored values by field name, references as ids,
 * tags as sorted names. Secrets and the time of the last change are left out. JSON text.
 */
export function snapshotOf(model: Model, index: ReadonlyMap<string, number>, cells: Cell[], tagNames: TagNames, tagIds: (cell: Cell) => string[]): string {
  const parts: string[] = [];
  for (const [name, field] of Object.entries(model.fields)) {
    if (!field.column || field.secret || name === 'last_updated') continue;
    const at = index.get(columnName(name, field));
    if (at === undefined) continue;
    const cell = cells[at] ?? null;
    parts.push(`${JSON.stringify(name)}:${printed(cell)}`);
    function printed(value: Cell): string {
      if (field.special === 'tags') return JSON.stringify(tagIds(value).map(tagNames).sort());
      if (field.printSnapshot) return field.printSnapshot(value);
      if (field.relation) return value ?? 'null';
      return field.print ? field.print(value) : JSON.stringify(value);
    }
  }
  return `{${parts.join(',')}}`;
}
