import type { Effect } from '../../types/effect.ts';
import type { Json, Values } from '../../types/json.ts';
import type { Field, Model, Owned } from '../../types/model.ts';

export interface OwnedOptions {
  where?: Record<string, Json>;
  complete?: Owned['complete'];
}

/**
 * A list of dictionaries that are rows of another model: `owned(portMapping, 'front_port', { position:
 * 'front_port_position', rear_port: 'rear_port' })`. They are shown, checked and written with the object; writing the
 * list replaces it, rows that stay the same stay.
 */
export function owned(from: Model, field: string, members: Record<string, string>, o: OwnedOptions = {}): Field {
  return {
    kind: 'owned',
    required: false,
    nullable: false,
    readOnly: false,
    writeOnly: false,
    reverse: { from: from.name, field, as: 'list', form: 'id', cumulative: false },
    owned: { from, field, members, where: o.where ?? {}, complete: o.complete ?? ((rows) => rows) },
    lookups: null,
    metadata: () => ({ type: 'field', required: false, read_only: false }),
    schema: { read: { type: 'array' }, write: { type: 'array' } },
  };
}

const views = new WeakMap<Owned, Model>();

/** The rows of a list as a model of their own: with the fields that are on the wire, and nothing else. */
export function viewOf(list: Owned): Model {
  let view = views.get(list);
  if (!view) {
    const fields = Object.values(list.members).map((name) => [name, list.from.fields[name]!] as const);
    views.set(list, (view = { ...list.from, fields: Object.fromEntries(fields), features: new Set() }));
  }
  return view;
}

/** Writes the lists of a model's objects: removes the rows that are no longer listed, then stores the new ones. */
export function writeOwned(fields: Record<string, Field>): Effect[] {
  const lists = Object.entries(fields).flatMap(([name, { owned: list }]) => (list ? [{ name, list }] : []));
  if (!lists.length) return [];
  return [
    async (changes, { find, create, remove }) => {
      const plans = await Promise.all(
        lists.map(async ({ name, list }) => {
          const written = changes.filter((c) => c.after && c.given[name] !== undefined);
          const old = written.filter((c) => c.before).map((c) => c.after!['id']!);
          const rows = old.length ? await find(list.from.name, { ...list.where, [list.field]: old }) : [];
          const wanted = written.flatMap((c) => wantedRows(list, c.given[name] as Values[], c.after!));
          return { list, ...difference(rows, wanted) };
        }),
      );
      for (const { list, gone } of plans) await remove(list.from.name, gone);
      for (const { list, made } of plans) await create(list.from.name, made);
    },
  ];
}

/** The rows that an object should have, made from what was given for its list. */
export const wantedRows = (list: Owned, given: Values[], owner: Values): Values[] =>
  list.complete(given, owner).map((row) => ({ ...row, ...list.where, [list.field]: owner['id']! }));

/** The rows to remove and to create so that the present rows become the wanted ones; a row that is wanted stays. */
export function difference(rows: Values[], wanted: Values[]): { gone: number[]; made: Values[] } {
  const left = new Set(rows);
  const made = wanted.filter((want) => {
    const same = [...left].find((row) =>
      Object.entries(want).every(([name, value]) => JSON.stringify(row[name] ?? null) === JSON.stringify(value)),
    );
    if (same) left.delete(same);
    return !same;
  });
  return { gone: [...left].map((row) => row['id'] as number), made };
}
