import { showsAbout } from '../definition/about.ts';
import { columnName, columnsOf, orderTerm } from '../sql/columns.ts';
import { Deletions, nameAmong, rulesWithout } from './deletions.ts';
import { reachOf } from '../definition/display.ts';
import type { Field, Form, Generic, OnDelete, Reached } from '../fields/field.ts';
import { type Filter, partsOf, type Path, searchPlace } from '../filters/filter.ts';
import type { Model } from '../model.ts';
import { singularOf } from '../definition/names.ts';
import { type Keeping, keepingOf, type Part } from './replicas.ts';
import { members } from '../definition/representation.ts';
import { typeId } from './typeId.ts';

/** A field of some model that refers to objects of a type; a generic one may hold other types too. */
export interface Incoming {
  model: Model;
  field: string;
  onDelete: OnDelete;
  many: boolean;
  generic?: boolean;
}

/**
 * One step of a path, resolved. A generic one counts where the type column names `to` (`from`, when it goes backwards).
 */
export interface Step {
  from: string;
  to: string;
  column: string;
  many: boolean;
  backwards: boolean;
  generic?: { typeColumn: string };
}

/** All models of all services: who owns what, who refers to whom, and what a service must keep of others' objects. */
export class Catalogue {
  readonly models = new Map<string, Model>();
  readonly #service = new Map<string, string>();
  readonly #incoming = new Map<string, Incoming[]>();
  /** Fields that may refer to objects of every type. */
  readonly #incomingAny: Incoming[] = [];
  readonly #filters = new Map<string, Record<string, Filter>>();
  readonly #typeById = new Map<number, string>();
  readonly #mentioned = new Set<string>();
  readonly #kept = new Map<string, Keeping>();
  readonly #parts = new Map<string, readonly Part[]>();
  /** Who has a say when objects are deleted, and how far that reaches. */
  readonly deletions: Deletions;

  /** @throws Error when two models share a name or a number, or a declaration names what does not exist */
  constructor(services: Iterable<{ service: string; models: Iterable<Model> }>) {
    for (const { service, models } of services) for (const model of models) this.#add(service, model);
    for (const model of this.models.values()) this.#link(model);
    for (const model of this.models.values()) this.#check(model);
    this.deletions = new Deletions(this);
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
    const filters = { ...this.#relationFilters(model), ...model.filters };
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

  /**
   * `tenant: ref(…)` brings `tenant_id` and, where the other model's key stands for one object, `tenant` by that; trees
   * include their descendants.
   */
  #relationFilters(model: Model): Record<string, Filter> {
    const filters: Record<string, Filter> = {};
    for (const [name, field] of Object.entries(model.fields)) {
      if (!field.relation || field.special || field.hidden) continue;
      const target = this.models.get(field.relation.to);
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

  #check(model: Model): void {
    const wrong = (what: string): never => {
      throw new Error(`${model.name}: ${what}`);
    };
    for (const name of [
      ...model.brief,
      ...(model.nested ?? []),
      ...model.ordering.map((term) => orderTerm(model, term).field),
    ]) {
      if (!(name in model.fields) && name !== 'id' && !(model.tree && name === '_path'))
        wrong(`there is no field ${name}`);
    }
    for (const name of model.search) {
      const { path, field } = searchPlace(name),
        found = path.length ? this.models.get(this.steps(model, path)?.at(-1)?.to ?? '') : model;
      if (found && !found.fields[field]?.column) wrong(`search names ${name}, which is no column`);
    }
    for (const u of model.unique)
      for (const name of u.fields) if (!model.fields[name]?.column) wrong(`unique names ${name}, which is no column`);
    for (const [name, { generic, relation }] of Object.entries(model.fields)) {
      if (!(relation || generic) || relation?.onDelete === 'cascade') continue;
      for (const { fields } of rulesWithout(model, name))
        if (!nameAmong(model, fields))
          wrong(`unique names ${fields.join(', ')}, none of which tells objects apart that lose their ${name}`);
    }
    if (
      model.private &&
      (model.fields[model.private.user]?.relation?.many !== false ||
        model.fields[model.private.unless]?.column?.type !== 'boolean')
    )
      wrong('private names a reference to a user and a boolean');
    for (const name of model.about ? [model.about.type, model.about.id, ...(model.about.tells ?? [])] : [])
      if (!model.fields[name]?.column && !(model.fields[name]?.batched && model.about!.tells?.includes(name)))
        wrong(`about names ${name}, which is no column`);
    for (const name of [model.belongsTo ?? []].flat())
      if (!(model.fields[name]?.relation?.many === false) && !model.fields[name]?.generic)
        wrong(`belongsTo names ${name}, which refers to no object`);
    for (const column of model.display.columns)
      if (!columnsOf(model).some((c) => c.name === column)) wrong(`display names ${column}, which is no column`);
    for (const chain of model.display.related ?? []) reachOf(model, chain);
    for (const [name, f] of Object.entries(model.fields)) {
      for (const one of f.firstOf ?? [])
        if (!model.fields[one]?.relation) wrong(`${name} shows ${one}, which is no reference`);
      for (const of of f.generic ? [f.generic.typeField, f.generic.idField] : []) {
        if (!model.fields[of]?.column) wrong(`${name} names ${of}, which is no column`);
        if (f.generic!.onDelete === 'setNull' && !model.fields[of]!.nullable)
          wrong(`${name} cannot become empty, as ${of} must be given`);
      }
      if (f.generic && !f.generic.to && !showsAbout(model, f.generic))
        wrong(`${name} may point at an object of any type, and about does not say so`);
      const source = f.reverse && this.models.get(f.reverse.from);
      for (const path of f.reached?.paths ?? []) {
        const steps = this.steps(model, path);
        if (steps && (steps.at(-1)!.to !== f.reached!.to || steps.some((s) => s.backwards || s.many)))
          wrong(`${name} does not reach one ${f.reached!.to} by ${path.join('.')}`);
      }
      const by = source?.fields[f.reverse!.field];
      if (source && !by?.relation && !by?.reached && !by?.generic)
        wrong(`${name} counts ${source.name} by ${f.reverse!.field}, which is no relation`);
    }
    for (const [name, filter] of Object.entries(this.filtersOf(model)).flatMap(([name, whole]) =>
      partsOf(whole).map((filter) => [name, filter] as const),
    )) {
      if (
        (filter.kind === 'column' || filter.kind === 'typeId' || filter.kind === 'keyed') &&
        filter.field !== 'id' &&
        !model.fields[filter.field]?.column &&
        model.fields[filter.field]?.reverse?.as !== 'count'
      )
        wrong(`filter ${name} names ${filter.field}, which is no column`);
      if (filter.kind !== 'related' && filter.kind !== 'through') continue;
      const target = this.models.get(this.steps(model, filter.path)?.at(-1)?.to ?? ''),
        at = filter.kind === 'through' ? filter.field : filter.by;
      if (target && at !== undefined && at !== 'id' && !target.fields[at]?.column)
        wrong(`filter ${name} names ${at} of ${target.name}, which is no column`);
    }
    for (const [type, names] of Object.entries(model.reads ?? {}))
      for (const name of names)
        if (this.models.has(type) && !this.get(type).fields[name]?.column)
          wrong(`reads names ${name} of ${type}, which is no column`);
    if (model.tree && model.fields['parent']?.relation?.to !== model.name)
      wrong('a tree needs a field parent that refers to itself');
  }

  has(type: string): boolean {
    return this.models.has(type);
  }

  /** Whether a type is declared, or one that declarations speak of: rules and fields for it may be made ahead of it. */
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
  ownedBy(service: string): Model[] {
    return [...this.models.values()].filter((m) => this.#service.get(m.name) === service);
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
    const steps: Step[] = [];
    let at: Model = model;
    for (const name of path) {
      const step = name.startsWith('<') ? this.#backwards(at, name.slice(1)) : forwards(at, name);
      if (!step) return undefined;
      steps.push(step);
      const next = this.models.get(step.to);
      if (!next) return steps.length === path.length ? steps : undefined;
      at = next;
    }
    return steps;
  }

  #backwards(at: Model, name: string): Step | undefined {
    const dot = name.lastIndexOf('.');
    const from = this.models.get(name.slice(0, dot)),
      fieldName = name.slice(dot + 1);
    if (!from) return undefined;
    const field = from.fields[fieldName];
    if (field?.relation)
      return {
        from: at.name,
        to: from.name,
        column: columnName(fieldName, field),
        many: field.relation.many,
        backwards: true,
      };
    if (field?.generic) {
      const { typeField, idField } = field.generic;
      return {
        from: at.name,
        to: from.name,
        column: columnName(idField, from.fields[idField]!),
        many: false,
        backwards: true,
        generic: { typeColumn: columnName(typeField, from.fields[typeField]!) },
      };
    }
    throw new Error(`${at.name}: <${name} is no relation`);
  }

  /** Whether a service keeps the brief form of every object there is, because objects of its own may point at any. */
  keepsAnyObject(service: string): boolean {
    return this.ownedBy(service).some((model) =>
      Object.values(model.fields).some(
        (f) => (f.generic && !f.generic.to) || f.reverse?.from === '*' || (f.batched?.links && !f.batched.links.to),
      ),
    );
  }

  /** What a service keeps of other services' objects: column names by type. */
  replicas(service: string): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#keeping(service).columns;
  }

  /** Of which types a service keeps only the objects that matter to it, and which those are. */
  parts(service: string): ReadonlyMap<string, Part> {
    return this.#keeping(service).parts;
  }

  /** What matters of a type to the services that keep only a part of it. */
  partsOf(type: string): readonly Part[] {
    let known = this.#parts.get(type);
    if (!known)
      this.#parts.set(
        type,
        (known = this.models.get(type)?.keptInPart
          ? this.services().flatMap((service) => this.parts(service).get(type) ?? [])
          : []),
      );
    return known;
  }

  #keeping(service: string): Keeping {
    let known = this.#kept.get(service);
    if (!known) this.#kept.set(service, (known = keepingOf(this, service)));
    return known;
  }

  /** The types on the way from what a field counts or lists: a change of an object there may change it. */
  countedOver(field: Field | undefined): string[] {
    if (!field?.reverse) return [];
    const { from, field: by } = field.reverse,
      source = this.models.get(from);
    const over =
      source?.fields[by]?.reached?.paths.flatMap((path) =>
        (this.steps(source, path) ?? []).slice(0, -1).map((s) => s.to),
      ) ?? [];
    return [...new Set([from, ...over])];
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

/** What becomes of an object when what its two fields point at is deleted. */
function onDeleteOf(model: Model, { typeField, idField, onDelete }: Generic, type = ''): OnDelete {
  const mayBeEmpty = [typeField, idField].every((name) => model.fields[name]?.nullable);
  return (typeof onDelete === 'object' ? onDelete[type] : onDelete) ?? (mayBeEmpty ? 'setNull' : 'cascade');
}

/** How objects of a model are reached from those that point at them by a field which is no plain reference. */
export function reachedBy(field: Field, name: string, model: Model): Reached | undefined {
  return field.generic ? { to: model.name, paths: [[`${name}:${model.name}`]] } : field.reached;
}

function forwards(at: Model, named: string): Step | undefined {
  const [name, type] = named.split(':') as [string, string?],
    field = at.fields[name];
  if (type !== undefined) {
    if (!field?.generic || (field.generic.to && !field.generic.to.includes(type)))
      throw new Error(`${at.name}: ${name} does not point at objects of ${type}`);
    const { typeField, idField } = field.generic;
    return {
      from: at.name,
      to: type,
      column: columnName(idField, at.fields[idField]!),
      many: false,
      backwards: false,
      generic: { typeColumn: columnName(typeField, at.fields[typeField]!) },
    };
  }
  if (!field?.relation) throw new Error(`${at.name}: ${name} is no relation`);
  return {
    from: at.name,
    to: field.relation.to,
    column: columnName(name, field),
    many: field.relation.many,
    backwards: false,
  };
}
