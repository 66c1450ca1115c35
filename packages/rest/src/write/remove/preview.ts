import type { Model } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import type { Requester } from '../../core/requester.ts';
import { checkVisibility } from '../../visibility/visibility.ts';
import { previewConsequences } from '../consequences/cascade.ts';
import type { DeletionPreview } from '../../peers/peers.ts';
import { byType, type TypedIds } from '../../core/typedIds.ts';

/** What deleting objects would do to those of this service. Nothing is changed or locked. */
export async function previewHere(engine: WriteEngine, objects: readonly TypedIds[]): Promise<DeletionPreview> {
  const { deleted, dependents, cleared, clashing } = await previewConsequences(engine, objects, engine.pool);
  const named = (all: typeof dependents): TypedIds[] => byType(all.map(({ model, id }) => ({ type: model.name, id })));
  return {
    deleted: deleted.map(({ model, rows }) => ({ type: model.name, ids: [...rows.keys()] })),
    protecting: named(dependents),
    changed: cleared.map(({ model, objects: some }) => ({ type: model.name, ids: [...some.keys()] })),
    clashing: named(clashing),
  };
}

/** Objects, by type, each once. */
class ObjectSet {
  readonly all = new Map<string, Set<number>>();

  /** Says which of them were not there yet. */
  add(objects: readonly TypedIds[]): TypedIds[] {
    return objects.flatMap(({ type, ids }) => {
      const known = this.all.get(type) ?? new Set();
      const fresh = ids.filter((id) => known.size !== known.add(id).size);
      this.all.set(type, known);
      return fresh.length ? [{ type, ids: fresh }] : [];
    });
  }

  without(others: ObjectSet): TypedIds[] {
    return [...this.all].flatMap(([type, ids]) => {
      const left = [...ids].filter((id) => !others.all.get(type)?.has(id));
      return left.length ? [{ type, ids: left }] : [];
    });
  }
}

/**
 * What deleting objects of a model would do, everywhere, by the code that would do it: each service says what becomes
 * of its own, and the others are asked in turn about what would go with that. One call for each service and step,
 * however many objects. @throws Unreachable when one does not answer
 */
export async function previewEverywhere(
  engine: WriteEngine,
  model: Model,
  ids: number[],
  who: Requester,
): Promise<DeletionPreview> {
  const { tables, peers } = engine;
  const start: TypedIds[] = [{ type: model.name, ids }];
  const [self, deleted, protecting, changed, clashing] = [
    new ObjectSet(),
    new ObjectSet(),
    new ObjectSet(),
    new ObjectSet(),
    new ObjectSet(),
  ];
  self.add(start);
  deleted.add(start);
  for (let wave = start, first = true; wave.length; first = false) {
    const questions = new Map<string, TypedIds[]>();
    for (const objects of wave)
      for (const service of servicesToAsk(engine, objects.type, first))
        questions.set(service, [...(questions.get(service) ?? []), objects]);
    const answers = await Promise.all(
      [...questions].map(([service, objects]) =>
        service === tables.service ? previewHere(engine, objects) : peers.preview(service, objects),
      ),
    );
    wave = deleted.add(answers.flatMap((one) => one.deleted));
    protecting.add(answers.flatMap((one) => one.protecting));
    changed.add(answers.flatMap((one) => one.changed));
    clashing.add(answers.flatMap((one) => one.clashing));
  }
  const found = {
    deleted: deleted.without(self),
    protecting: protecting.without(deleted),
    changed: changed.without(deleted),
    clashing: clashing.without(deleted),
  };
  // Objects that stand in the way are not hidden: a refusal reveals as well that they exist.
  const [goes, loses] = await visibleTo(engine, who, [found.deleted, found.changed]);
  return { ...found, deleted: goes!, changed: loses! };
}

/**
 * The services whose objects may refer to those of a type; the owner only at first, as it has already looked at its own
 * objects where it found these.
 */
function servicesToAsk({ catalogue }: Pick<WriteEngine, 'catalogue'>, type: string, first: boolean): Set<string> {
  const services = new Set(catalogue.incoming(type).map(({ model }) => catalogue.serviceOf(model.name)!));
  const owner = catalogue.serviceOf(type)!;
  if (first) services.add(owner);
  else services.delete(owner);
  return services;
}

/** Of lists of objects, those that the requester may view. */
async function visibleTo(engine: WriteEngine, who: Requester, lists: readonly TypedIds[][]): Promise<TypedIds[][]> {
  if (who.grants.superuser) return [...lists];
  const objects = lists.flat().flatMap(({ type, ids }) => ids.map((id) => ({ type, id })));
  const [hides] = await checkVisibility(engine, [{ who, objects }], engine.pool);
  return lists.map((list) =>
    list.flatMap(({ type, ids }) => {
      const seen = ids.filter((id) => !hides!(type, id));
      return seen.length ? [{ type, ids: seen }] : [];
    }),
  );
}

/** How many objects of each type are named at most. */
const NAMED = 50;

/** The preview as an answer. */
export function previewText(preview: DeletionPreview): string {
  const some = (all: readonly TypedIds[]) =>
    all
      .map(({ type, ids }) => ({
        object_type: type,
        count: ids.length,
        ids: ids.toSorted((a, b) => a - b).slice(0, NAMED),
      }))
      .toSorted((a, b) => (a.object_type < b.object_type ? -1 : 1));
  const { deleted, protecting, changed, clashing } = preview;
  return JSON.stringify({
    deleted: some(deleted),
    protecting: some(protecting),
    changed: some(changed),
    clashing: some(clashing),
  });
}
