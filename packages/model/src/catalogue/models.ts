import { singularOf } from '../definition/names.ts';
import { members } from '../definition/representation.ts';
import type { Filter, Path } from '../types/filter.ts';
import type { Field, Model } from '../types/model.ts';
import type { Form, Generic, OnDelete } from '../types/relation.ts';
import { orderedBy } from './ordering.ts';
import { type Step, stepsOf } from './steps.ts';
import { typeId } from './typeId.ts';

/** A field of some model that refers to objects of a type; a generic one may hold other types too. */
export interface Incoming {
  model: Model;
  field: string;
  onDelete: OnDelete;
  many: boolean;
  generic?: boolean;
}

/** A model whose objects have rows of another model as parts, and the field by which the rows refer to their object. */
export interface Whole {
  model: Model;
  field: string;
}

/** All models of all services, with what follows from how they refer to each other. */
export class Models {
  readonly models = new Map<string, Model>();
  readonly #service = new Map<string, string>();
  readonly #incoming = new Map<string, Incoming[]>();
  /** Fields that may refer to objects of every type. */
  readonly #incomingAny: Incoming[] = [];
  readonly #wholes = new Map<string, Whole[]>();
  readonly #filters = new Map<string, Record<string, Filter>>();
  readonly #typeById = new Map<number, string>();
  readonly #mentioned = new Set<string>();
  readonly #owned: ReadonlyMap<string, readonly Model[]>;
  readonly #countedOver = new WeakMap<Field, readonly string[]>();
  readonly #orderedBy = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

  /** @throws Error when two models share a name or a number, or a model leaves out a filter that it would not have */
  constructor(services: Iterable<{ service: string; models: Iterable<Model> }>) {
    for (const { service, models } of services) for (const model of models) this.#add(service, model);
    for (const model of this.models.values()) this.#link(model);
    this.#owned = Map.groupBy(this.models.values(), ({ name }) => this.#service.get(name)!);
  }

  #add(service: string, model: Model): void {
    const id = typeId(model.name);
    if (this.models.has(model.name)) throw new Error(`model ${model.name} is declared twice`);
    if (this.#typeById.has(id))
      throw new Error(`models ${model.name} and ${this.#typeById.get(id)} have the same number: rename one`);
    this.models.set(model.name, model);
    this.#service.set(model.name, service);
    this.#typeById.set(id, model.name);
  }

  #link(model: Model): void {
    for (const [field, f] of Object.entries(model.fields)) {
      for (const type of [f.relation?.to, f.reverse?.from, f.reached?.to, ...(f.generic?.to ?? [])])
        if (type && type !== '*') this.#mentioned.add(type);
      if (f.owned) this.#belong(f.owned.from.name, { model, field: f.owned.field });
      // Records of what happened (read-only models that are no parts) outlive what they speak of, so they have no say
      // in deletions.
      if (model.readOnly && !model.part) continue;
      if (f.relation)
        this.#refer(f.relation.to, { model, field, onDelete: f.relation.onDelete, many: f.relation.many });
      if (!f.generic || f.generic.outlives) continue;
      const incoming = (type?: string) => ({
        model,
        field,
        onDelete: onDeleteOf(model, f.generic!, type),
        many: false,
        generic: true,
      });
      if (f.generic.to) for (const type of f.generic.to) this.#refer(type, incoming(type));
      else this.#incomingAny.push(incoming());
    }
    const filters = { ...relationFilters(this.models, model), ...model.filters };
    for (const name of model.without)
      if (!(name in filters)) throw new Error(`${model.name}: there is no filter ${name} to go without`);
      else delete filters[name];
    this.#filters.set(model.name, filters);
  }

  #refer(type: string, incoming: Incoming): void {
    const list = this.#incoming.get(type);
    if (list) list.push(incoming);
    else this.#incoming.set(type, [incoming]);
  }

  #belong(part: string, whole: Whole): void {
    const known = this.#wholes.get(part) ?? [];
    if (!known.some(({ model, field }) => model === whole.model && field === whole.field))
      this.#wholes.set(part, [...known, whole]);
  }

  /** The models whose objects have objects of a type as parts; a row may be part of several objects. */
  wholesOf(part: string): readonly Whole[] {
    return this.#wholes.get(part) ?? [];
  }

  has(type: string): boolean {
    return this.models.has(type);
  }

  /** Whether a type is declared, or referred to by a declaration: rules and fields for it may exist before the type. */
  knows(type: string): boolean {
    return this.models.has(type) || this.#mentioned.has(type);
  }

  /** @throws Error when there is no such model */
  get(type: string): Model {
    const model = this.models.get(type);
    if (!model) throw new Error(`no model ${type}`);
    return model;
  }

  /** The service that owns a type. */
  serviceOf(type: string): string | undefined {
    return this.#service.get(type);
  }

  /** The models that a service owns. */
  ownedBy(service: string): readonly Model[] {
    return this.#owned.get(service) ?? [];
  }

  services(): string[] {
    return [...new Set(this.#service.values())];
  }

  typeById(id: number): string | undefined {
    return this.#typeById.get(id);
  }

  /** Every field of every model that refers to objects of a type. */
  incoming(type: string): Incoming[] {
    return [...(this.#incoming.get(type) ?? []), ...this.#incomingAny];
  }

  filtersOf(model: Model): Record<string, Filter> {
    return this.#filters.get(model.name) ?? model.filters;
  }

  /** The steps of a path that starts at a model, or undefined when it leads over a model that does not exist (yet). */
  steps(model: Model, path: Path): Step[] | undefined {
    return stepsOf(this.models, model, path);
  }

  /** The type that a field counts or lists, and those on the path there: a change of their objects may change it. */
  countedOver(field: Field | undefined): readonly string[] {
    if (!field?.reverse) return [];
    let types = this.#countedOver.get(field);
    if (!types) this.#countedOver.set(field, (types = this.#typesBelow(field.reverse)));
    return types;
  }

  #typesBelow({ from, field: by }: NonNullable<Field['reverse']>): string[] {
    const source = this.models.get(from);
    const over =
      source?.fields[by]?.reached?.paths.flatMap((path) =>
        (this.steps(source, path) ?? []).slice(0, -1).map((s) => s.to),
      ) ?? [];
    return [...new Set([from, ...over])];
  }

  /**
   * The columns, by type, that the default order of a type's objects depends on; the type itself comes first. A change
   * in one of them may change the order of every list of these objects.
   */
  orderedBy(type: string): ReadonlyMap<string, ReadonlySet<string>> {
    let columns = this.#orderedBy.get(type);
    if (!columns) this.#orderedBy.set(type, (columns = orderedBy(this.models, type)));
    return columns;
  }

  /**
   * Types whose counts or lists are part of a type's representation in a form: a change of one of them may change it.
   */
  countedIn(type: string, form: Form | 'complete'): string[] {
    const model = this.models.get(type);
    if (!model) return [];
    return [...new Set(members(model, form).flatMap((name) => this.countedOver(model.fields[name])))];
  }
}

/**
 * `tenant: ref(…)` brings the filter `tenant_id` and, where the key of the other model identifies one object, `tenant`
 * by that key; in trees, descendants match as well.
 */
function relationFilters(models: ReadonlyMap<string, Model>, model: Model): Record<string, Filter> {
  const filters: Record<string, Filter> = {};
  for (const [name, field] of Object.entries(model.fields)) {
    if (!field.relation || field.special || field.hidden) continue;
    const target = models.get(field.relation.to);
    const singular = field.relation.many ? singularOf(name) : name;
    const isParent = field.relation.to === model.name && model.tree === true && name === 'parent';
    const tree = (target?.tree ?? false) && !isParent;
    filters[`${singular}_id`] = { kind: 'related', path: [name], tree };
    if (isParent) filters['ancestor_id'] = { kind: 'related', path: [name], tree: true };
    if (!target?.namesOne) continue;
    filters[singular] = { kind: 'related', path: [name], by: target.key!, tree };
    if (isParent) filters['ancestor'] = { kind: 'related', path: [name], by: target.key!, tree: true };
  }
  return filters;
}

/** What becomes of an object when what its two fields point at is deleted. */
function onDeleteOf(model: Model, { typeField, idField, onDelete }: Generic, type = ''): OnDelete {
  const mayBeEmpty = [typeField, idField].every((name) => model.fields[name]?.nullable);
  return (typeof onDelete === 'object' ? onDelete[type] : onDelete) ?? (mayBeEmpty ? 'setNull' : 'cascade');
}
