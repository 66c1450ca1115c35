import { columnName } from '../sql/columns.ts';
import type { Model } from '../types/model.ts';
import type { Incoming, Models } from './models.ts';

/** What the declarations say about deletions, worked out once: who has a say, and how far they reach. */
export class Deletions {
  readonly #declared: Models;
  readonly #guarded: ReadonlySet<string>;
  readonly #asked = new Map<string, readonly string[]>();
  readonly #reach = new Map<string, ReadonlySet<string>>();

  constructor(declared: Models) {
    this.#declared = declared;
    this.#guarded = guardedTypes(declared);
  }

  /**
   * Whether the deletion of an object may be refused: something protects objects of the type, or what goes with them,
   * or would not be unique without them.
   */
  isGuarded(type: string): boolean {
    return this.#guarded.has(type);
  }

  /** Whether that may be because of a field that refers to the object. */
  mayBeRefusedBy(incoming: Pick<Incoming, 'model' | 'field' | 'onDelete'>): boolean {
    return mayRefuse(incoming, (type) => this.isGuarded(type));
  }

  /**
   * The services besides the owner that are asked before objects of a type go: those that declare a reference to it,
   * whatever becomes of that, and those whose generic fields protect it, take along what may be protected, or leave
   * behind what may no longer be unique. What other generic fields point at is cleared when the event of the deletion
   * arrives.
   */
  askedAbout(type: string): readonly string[] {
    let known = this.#asked.get(type);
    if (!known) {
      const declared = this.#declared;
      const asked = declared.incoming(type).filter((i) => !i.generic || this.mayBeRefusedBy(i));
      const services = new Set(asked.map((i) => declared.serviceOf(i.model.name)!));
      services.delete(declared.serviceOf(type)!);
      this.#asked.set(type, (known = [...services]));
    }
    return known;
  }

  /** The types of the same service of which objects may go when one of a type goes, itself among them. */
  goesWith(type: string): ReadonlySet<string> {
    let known = this.#reach.get(type);
    if (!known) this.#reach.set(type, (known = reach(this.#declared, type)));
    return known;
  }
}

/**
 * The uniqueness rules that compare an object also when a reference of it is empty: without the reference it may be
 * what another is. A rule that demands that one of its columns is there leaves the object alone then.
 */
export function rulesWithout(model: Model, field: string): Model['unique'] {
  const { generic, relation } = model.fields[field]!;
  const names = generic ? [generic.typeField, generic.idField] : [field];
  if (relation?.many || generic?.outlives || names.some((name) => !model.fields[name]?.nullable)) return [];
  const columns = names.map((name) => columnName(name, model.fields[name]!));
  return model.unique.filter(
    ({ fields, where = '' }) =>
      (names.some((name) => fields.includes(name)) ||
        columns.some((column) => new RegExp(`\\b${column}\\b`).test(where))) &&
      !columns.some((column) => new RegExp(`\\b${column} is not null\\b`).test(where)),
  );
}

/** The text among the fields of a rule by which people tell its objects apart. */
export const nameAmong = (model: Model, fields: readonly string[]): string | undefined =>
  fields.find((name) => ['text', 'slug'].includes(model.fields[name]!.kind));

/** Whether a field that refers to an object may have its deletion refused. */
const mayRefuse = (
  { model, field, onDelete }: Pick<Incoming, 'model' | 'field' | 'onDelete'>,
  isGuarded: (type: string) => boolean,
): boolean =>
  onDelete === 'protect' || (onDelete === 'cascade' ? isGuarded(model.name) : rulesWithout(model, field).length > 0);

/** Grows from the types that something protects to those whose deletion would take such objects along. */
function guardedTypes(declared: Models): Set<string> {
  const guarded = new Set<string>();
  for (let before = -1; before < guarded.size; ) {
    before = guarded.size;
    for (const type of declared.models.keys()) {
      if (declared.incoming(type).some((incoming) => mayRefuse(incoming, (at) => guarded.has(at)))) guarded.add(type);
    }
  }
  return guarded;
}

function reach(declared: Models, type: string): Set<string> {
  const found = new Set([type]);
  const service = declared.serviceOf(type);
  for (const at of found)
    for (const { model, onDelete } of declared.incoming(at))
      if (onDelete === 'cascade' && declared.serviceOf(model.name) === service) found.add(model.name);
  return found;
}
