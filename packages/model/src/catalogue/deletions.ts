import { columnName } from '../sql/columns.ts';
import type { Model } from '../types/model.ts';
import type { Incoming, Models } from './models.ts';

/** What the declarations imply for deletions, computed once: which services are asked, and how far deletions reach. */
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
   * Whether the deletion of an object may be refused: something protects objects of the type, or objects that are
   * deleted with them, or might no longer be unique once its reference to them is cleared.
   */
  isGuarded(type: string): boolean {
    return this.#guarded.has(type);
  }

  /** Whether a field that refers to the object may be the reason for such a refusal. */
  mayBeRefusedBy(incoming: Pick<Incoming, 'model' | 'field' | 'onDelete'>): boolean {
    return mayRefuse(incoming, (type) => this.isGuarded(type));
  }

  /**
   * The services besides the owner that are asked before objects of a type are deleted: those that declare a reference
   * to it, whatever its `onDelete` is, and those with generic fields that protect it, cascade to objects that may be
   * protected, or leave objects that may no longer be unique. Other generic fields are dealt with when the event of the
   * deletion arrives.
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

  /** The types of the same service whose objects may be deleted along with one of a type, that type included. */
  goesWith(type: string): ReadonlySet<string> {
    let known = this.#reach.get(type);
    if (!known) this.#reach.set(type, (known = reach(this.#declared, type)));
    return known;
  }
}

/**
 * The uniqueness rules that compare an object even when the reference in a field is empty: once it is cleared, the
 * object may equal another. A rule whose condition requires a column of the reference to be not null no longer applies.
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

/** Whether a field may prevent the deletion of the object that it refers to. */
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
