import { type Catalogue, columnName, type Model } from '@cadastre/model';
import { type Complaint, type Row, rowsOf, type World } from './world.ts';

/** The counts that the API shows: by type, id and field. */
export type Shown = Map<string, Map<number, Record<string, unknown>>>;

/** The fields of a model that show how many objects point here. */
export const countsOf = (catalogue: Catalogue, model: Model): string[] =>
  Object.entries(model.fields)
    .filter(([, { reverse }]) => reverse?.as === 'count' && !reverse.shown && catalogue.has(reverse.from))
    .map(([name]) => name);

/** Every count that the API shows is the number of objects that point there. */
export function checkCounts(world: World, shown: Shown): Complaint[] {
  return [...shown].flatMap(([type, objects]) => {
    const model = world.catalogue.get(type);
    return countsOf(world.catalogue, model).flatMap((name) => {
      const counted = countFor(world, model, name);
      return [...objects].flatMap(([id, counts]) =>
        Number(counts[name]) === (counted.get(id) ?? 0)
          ? []
          : [`${type} ${id} shows ${name} ${String(counts[name])} instead of ${counted.get(id) ?? 0}`],
      );
    });
  });
}

function countFor(world: World, model: Model, name: string): Map<number, number> {
  const { from, field, cumulative } = model.fields[name]!.reverse!;
  const source = world.catalogue.get(from);
  const counted = new Map<number, number>();
  for (const row of rowsOf(world, from).values()) {
    const targets = targetsOf(world, source, field, model.name, row);
    const all = cumulative
      ? new Set(targets.flatMap((id) => (rowsOf(world, model.name).get(id)?.['_path'] as number[] | undefined) ?? [id]))
      : new Set(targets);
    for (const id of all) counted.set(id, (counted.get(id) ?? 0) + 1);
  }
  return counted;
}

/** The objects of a type that a field leads to. */
function targetsOf(world: World, source: Model, field: string, type: string, row: Row): number[] {
  const { reached, generic } = source.fields[field]!;
  if (generic) return follow(source, row, `${field}:${type}`);
  if (!reached) return follow(source, row, field);
  return reached.paths.flatMap((path) => {
    let at: { model: Model; row: Row }[] = [{ model: source, row }];
    let ids: number[] = [];
    for (const step of path) {
      ids = at.flatMap((one) => follow(one.model, one.row, step));
      const next = targetType(at[0]?.model, step);
      at = next
        ? ids.flatMap((id) => {
            const found = rowsOf(world, next).get(id);
            return found ? [{ model: world.catalogue.get(next), row: found }] : [];
          })
        : [];
    }
    return ids;
  });
}

function follow(model: Model, row: Row, step: string): number[] {
  const [name, type] = step.split(':') as [string, string?];
  const field = model.fields[name]!;
  const read = (of: string): unknown => row[columnName(of, model.fields[of]!)];
  if (type !== undefined) return read(field.generic!.typeField) === type ? [Number(read(field.generic!.idField))] : [];
  const value = read(name);
  return (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]).map(Number);
}

function targetType(model: Model | undefined, step: string): string | undefined {
  const [name, type] = step.split(':') as [string, string?];
  return type ?? model?.fields[name]?.relation?.to;
}
