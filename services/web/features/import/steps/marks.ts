import { apiPath, type Catalogue, type Dict, type Json, type Model } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import type { Shown } from '../../../context/pageRequest.ts';
import type { Draft } from '../drafts/draft.ts';
import { askBy } from '../naming/references.ts';
import { at, type LineProblem, textsIn } from '../drafts/lineProblems.ts';
import type { Marked } from '../drafts/draft.ts';

/** A change of another object, and the row that it comes from. */
interface Change {
  draft: Draft;
  column: string;
  model: Model;
  id: number;
  field: string;
  value: Json;
}

/** References from other objects to those of the rows: primary addresses, device bays with a device in them. */
export function marksOf({ marks, found }: Draft, model: Model): Marked[] {
  return Object.entries(marks).flatMap(([column, on]) => {
    const mark = model.imports?.columns?.[column]?.marks;
    const [other] = (mark?.on ?? []).flatMap((name) => found[name] ?? []);
    return other ? [{ column, on, type: other.type, id: other.id }] : [];
  });
}

/** Writes the references from other objects, all or nothing, with one request for each type. @returns the problems */
export async function markAll(
  api: Api,
  catalogue: Catalogue,
  model: Model,
  drafts: readonly Draft[],
  written: readonly Shown[],
): Promise<LineProblem[]> {
  const changes = drafts.flatMap((draft, i) =>
    (draft.marked ?? []).flatMap(({ column, on, type, id }): Change[] => {
      const mark = model.imports?.columns?.[column]?.marks;
      const target = catalogue.models.get(type);
      return mark && target
        ? [{ draft, column, model: target, id, field: mark.field(written[i]!), value: on ? written[i]!.id : null }]
        : [];
    }),
  );
  const done: { model: Model; held: Dict[] }[] = [];
  for (const some of Map.groupBy(changes, ({ model: target }) => target.name).values()) {
    const target = some[0]!.model;
    const held = await heldBy(api, target, some);
    const problems = await change(api, target, needed(some, held, written));
    if (problems.length) {
      for (const one of done) await api.ask('PATCH', apiPath(one.model), { body: one.held });
      return problems;
    }
    done.push({ model: target, held });
  }
  return [];
}

/** The present values of the references, in the form in which they can be written back. */
async function heldBy(api: Api, model: Model, changes: readonly Change[]): Promise<Dict[]> {
  const fields = [...new Set(changes.map(({ field }) => field))];
  const now = await askBy(api, model, 'id', [...new Set(changes.map(({ id }) => String(id)))], fields);
  return now.map((one) => ({
    id: one.id,
    ...Object.fromEntries(fields.map((field) => [field, (one[field] as { id: number } | null)?.id ?? null])),
  }));
}

/** A reference to another object is kept if a row only says that it does not refer to its own object. */
function needed(changes: readonly Change[], held: readonly Dict[], written: readonly Shown[]): Change[] {
  const ours = new Set<Json>(written.map(({ id }) => id));
  return changes.filter(
    ({ value, id, field }) => value !== null || ours.has(held.find((one) => one['id'] === id)?.[field] ?? null),
  );
}

async function change(api: Api, model: Model, changes: readonly Change[]): Promise<LineProblem[]> {
  if (!changes.length) return [];
  const bodies = new Map<number, Dict>();
  for (const { id, field, value } of changes) bodies.set(id, { ...bodies.get(id), id, [field]: value });
  const order = [...bodies.keys()];
  try {
    await api.ask('PATCH', apiPath(model), { body: [...bodies.values()] });
    return [];
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 403, 404, 409].includes(error.status)) throw error;
    const errors = Array.isArray(error.body) ? error.body : order.map((_, i) => (i === 0 ? error.body : {}));
    return errors.flatMap((body, i) => {
      const one = changes.find(({ id }) => id === order[i]);
      const said = textsIn(body);
      return one && said.length ? [{ ...at(one.draft, one.column), field: one.column, text: said.join(' ') }] : [];
    });
  }
}
