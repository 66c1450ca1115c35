import { type Generic, type Model, type Reference, showsAbout, typeTitle, type Values } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import type { Requester } from '../../core/requester.ts';
import { viewsAll } from '../../visibility/visibility.ts';
import type { Executor } from '../../db/sql.ts';
import type { ImportRun } from '../context/importRun.ts';
import { hasErrors, type Item } from '../context/item.ts';
import { type Prefetched, resolve } from './references.ts';

/** An object on its way into the database, with what it is to hold. */
interface Draft {
  item: Item;
  object: Values;
}

/** Something that an item is to point at. */
interface Place {
  item: Item;
  field: string;
  id: number;
  called: string | undefined;
  /** Whether the item is to be about it. */
  about: boolean;
}

/** The field of an item that is empty although its other half was given. */
interface Half {
  item: Item;
  empty: string;
}

/**
 * Checks what generic fields are to point at, where the client gave a part of it: one batch for each type. Messages go
 * into the items. Those about a missing half are added when the returned function is called, unless something else is
 * wrong by then, as models may have messages of their own for it.
 */
export async function resolveGenerics(
  engine: WriteEngine,
  model: Model,
  drafts: readonly Draft[],
  who: Requester,
  executor: Executor,
  known?: Prefetched,
  importing?: ImportRun,
): Promise<() => void> {
  const byType = new Map<string, Place[]>();
  const halves: Half[] = [];
  for (const { generic } of Object.values(model.fields)) {
    if (!generic || model.fields[generic.idField]!.readOnly) continue;
    // Records of the past may refer to objects that have been deleted.
    if (importing && (generic.outlives || model.fromEvents)) continue;
    for (const { item, object } of drafts) {
      const wanted = targetOf(generic, item, object, halves);
      if (!wanted) continue;
      const place = {
        item,
        field: generic.idField,
        id: wanted.id,
        called: generic.missing,
        about: showsAbout(model, generic),
      };
      const places = byType.get(wanted.type);
      if (places) places.push(place);
      else byType.set(wanted.type, [place]);
    }
  }
  for (const [type, places] of byType) await resolvePlaces(engine, type, places, who, executor, known);
  return () => {
    for (const { item, empty } of halves) if (!hasErrors(item)) item.errors[empty] = ['This field cannot be null.'];
  };
}

/** The type and id that an item gives, if they can name an object. */
function targetOf(
  { typeField, idField, to }: Generic,
  item: Item,
  object: Values,
  halves: Half[],
): { type: string; id: number } | undefined {
  if (!(typeField in item.values || idField in item.values) || item.errors[typeField] || item.errors[idField])
    return undefined;
  const type = object[typeField] ?? null;
  const id = object[idField] ?? null;
  if (type === null && id === null) return undefined;
  if (typeof type === 'string' && to && !to.includes(type)) item.errors[typeField] = [`Invalid content type: ${type}`];
  else if (typeof type !== 'string') halves.push({ item, empty: typeField });
  else if (typeof id !== 'number') halves.push({ item, empty: idField });
  else return { type, id };
  return undefined;
}

async function resolvePlaces(
  engine: WriteEngine,
  type: string,
  places: Place[],
  who: Requester,
  executor: Executor,
  known: Prefetched | undefined,
): Promise<void> {
  // Attributes are looked up among what the requester may view: what is hidden is missing.
  const guarded = !viewsAll(engine, who, type);
  const keyOf = ({ id, about }: Place): Reference => (about && guarded ? { attributes: { id } } : { id });
  const references = [
    ...new Map(
      places.map((place) => {
        const reference = keyOf(place);
        return [JSON.stringify(reference), reference] as const;
      }),
    ),
  ];
  const results = await resolve(
    engine,
    type,
    references.map(([, reference]) => reference),
    who,
    executor,
    known,
  );
  const missing = new Set(references.flatMap(([key], i) => ('error' in results[i]! ? [key] : [])));
  for (const place of places) {
    const { item, field, id, called } = place;
    if (!missing.has(JSON.stringify(keyOf(place)))) continue;
    if (called === undefined) item.errors[field] = [`Related object not found using the provided value: ${id}.`];
    else
      item.errors['non_field_errors'] = [
        `Invalid ${called}: ${engine.catalogue.has(type) ? typeTitle(engine.catalogue.get(type)) : type} ID ${id}`,
      ];
  }
}
