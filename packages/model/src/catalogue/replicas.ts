import { columnAt, reachOf } from '../definition/display.ts';
import { members } from '../definition/representation.ts';
import { partsOf, searchPlace } from '../filters/filter.ts';
import { columnName, columnsOf, isReplicated } from '../sql/columns.ts';
import type { Path } from '../types/filter.ts';
import type { Field, Model } from '../types/model.ts';
import type { Form } from '../types/relation.ts';
import type { Models } from './models.ts';
import { listedBy } from './ordering.ts';
import { typeId } from './typeId.ts';

/**
 * Which objects of a type matter to a service that keeps only some of them: those that point at one of the service's
 * own objects, or at another object of the type. In addition, the service keeps those that its own objects or kept ones
 * point at.
 */
export interface Part {
  /** Made from the service and what matters to it, so that it changes when that changes. */
  name: string;
  /** Columns of references: an object matters when one of them is set. */
  references: readonly string[];
  /** Columns that name the type of what is pointed at, with the types that count. */
  generics: readonly { column: string; types: readonly string[] }[];
  /** Columns by which objects of the type point at each other; they are among `references`. */
  mutual: readonly string[];
}

/** What a service keeps of other services' objects: columns by type, and of which types only a part. */
export interface Keeping {
  columns: ReadonlyMap<string, ReadonlySet<string>>;
  parts: ReadonlyMap<string, Part>;
}

/** Whether an object matters because of its own columns. @param at a column's value; null or undefined when empty */
export const matters = ({ references, generics }: Part, at: (column: string) => unknown): boolean =>
  references.some((column) => (at(column) ?? null) !== null) ||
  generics.some(({ column, types }) => types.includes(at(column) as string));

/**
 * What every list reads, whatever it lists: the filters that `?filter=` names, the templates that `?export=` names.
 * Columns by type.
 */
const EVERYWHERE: Record<string, string[]> = {
  'extras.savedfilter': ['name', 'slug', 'user_id', 'weight', 'enabled', 'shared', 'parameters'],
  'extras.exporttemplate': [
    'object_types',
    'name',
    'environment_params',
    'template_code',
    'mime_type',
    'file_name',
    'file_extension',
    'as_attachment',
  ],
};

/** The types that define custom fields. */
const CUSTOM_FIELDS = ['extras.customfield', 'extras.customfieldchoiceset'];

/** The columns that a replica of a model has when its objects are shown or filtered by. */
function replicatedColumns(model: Model): string[] {
  const own = Object.entries(model.fields)
    .filter(([name, f]) => isReplicated(name, f))
    .map(([name, f]) => columnName(name, f));
  return [...own, ...(model.tree ? ['_path', '_sort'] : [])];
}

/**
 * Derived from a service's own declarations: what their representations show, what their filters and counts walk over.
 */
export function keepingOf(declared: Models, service: string): Keeping {
  const needs = new Needs(declared, service);
  needs.ofService();
  return { columns: needs.columns, parts: needs.parts() };
}

/**
 * The types of other services' objects that requests for objects of a model read: those that they show, filter by and
 * check. In addition, custom fields and generic fields without a list of types may refer to any type.
 */
export function lookedAt(declared: Models, model: Model): ReadonlySet<string> {
  const needs = new Needs(declared, declared.serviceOf(model.name)!);
  needs.ofModel(model);
  const always = [...Object.keys(EVERYWHERE), ...(model.features.has('customFields') ? CUSTOM_FIELDS : [])];
  return new Set([...needs.columns.keys(), ...always]);
}

class Needs {
  readonly columns = new Map<string, Set<string>>();
  readonly #declared: Models;
  readonly #service: string;
  readonly #seen = new Set<string>();
  /** Types that are kept whole, as more of their objects may be read than those linked with the service's own ones. */
  readonly #whole = new Set<string>();

  constructor(declared: Models, service: string) {
    this.#declared = declared;
    this.#service = service;
  }

  ofService(): void {
    const own = this.#declared.ownedBy(this.#service);
    if (own.length)
      for (const [type, names] of Object.entries(EVERYWHERE)) {
        this.#columns(type, names);
        this.#whole.add(type);
      }
    for (const model of own) this.ofModel(model);
  }

  ofModel(model: Model): void {
    const { models } = this.#declared;
    this.#text(model.name);
    this.#ordered(model.name);
    for (const field of Object.values(model.fields)) this.#field(model, field);
    for (const [type, names] of Object.entries(model.reads ?? {}))
      if (this.#foreign(type))
        this.#columns(
          type,
          names.map((name) => columnName(name, this.#declared.get(type).fields[name]!)),
        );
    for (const type of Object.keys(model.follows)) this.#whole.add(type);
    for (const filter of Object.values(this.#declared.filtersOf(model)).flatMap(partsOf)) {
      if (filter.kind === 'related' || filter.kind === 'through') this.#path(model, filter.path);
      if (filter.kind === 'objects') this.#all(filter.type);
    }
    for (const name of model.search) {
      const { path, field } = searchPlace(name);
      const steps = this.#path(model, path);
      const end = models.get(steps.at(-1)?.to ?? '');
      if (end) this.#columns(end.name, [columnName(field, end.fields[field]!)]);
    }
  }

  parts(): Map<string, Part> {
    const some = [...this.columns.keys()].filter(
      (type) => this.#declared.get(type).keptInPart && !this.#whole.has(type),
    );
    return new Map(some.map((type) => [type, this.#partOf(this.#declared.get(type))]));
  }

  #partOf(model: Model): Part {
    const kept = this.columns.get(model.name)!;
    const fields = Object.entries(model.fields).map(([name, field]) => ({ column: columnName(name, field), field }));
    const all = this.#declared.ownedBy(this.#service).map(({ name }) => name);
    const pointing = (to: (type: string) => boolean) =>
      fields.flatMap(({ column, field }) =>
        kept.has(column) && field.relation && !field.relation.many && to(field.relation.to) ? [column] : [],
      );
    const generics = fields.flatMap(({ field: { generic } }) => {
      if (!generic) return [];
      const column = columnName(generic.typeField, model.fields[generic.typeField]!);
      return kept.has(column) ? [{ column, types: generic.to?.filter((type) => this.#owns(type)) ?? all }] : [];
    });
    const mutual = pointing((type) => type === model.name);
    const part = { references: [...pointing((type) => this.#owns(type)), ...mutual], generics, mutual };
    return { name: `${this.#service}#${typeId(JSON.stringify([model.name, part])).toString(36)}`, ...part };
  }

  #owns(type: string): boolean {
    return this.#declared.serviceOf(type) === this.#service;
  }

  #foreign(type: string): boolean {
    return this.#declared.has(type) && !this.#owns(type);
  }

  /**
   * Notes that objects of `from` lead to objects of `to`, or the other way round. Where neither type is the service's
   * own, it is not known which objects of `to` it needs, so all are kept.
   */
  #leads(from: string, to: string): void {
    if (!this.#owns(from) && from !== to) this.#whole.add(to);
  }

  #columns(type: string, names: string[]): void {
    if (!this.#foreign(type)) return;
    const set = this.columns.get(type) ?? new Set(['id', '_version']);
    for (const name of names) set.add(name);
    this.columns.set(type, set);
  }

  /** Notes that any object of a type may be read. */
  #all(type: string): void {
    if (!this.#foreign(type)) return;
    this.#whole.add(type);
    this.#columns(type, replicatedColumns(this.#declared.get(type)));
  }

  #shown(type: string, form: Form): void {
    if (!this.#declared.has(type) || this.#seen.has(`${type} ${form}`)) return;
    this.#seen.add(`${type} ${form}`);
    const model = this.#declared.get(type);
    this.#columns(type, replicatedColumns(model));
    this.#text(type);
    for (const name of members(model, form)) if (model.fields[name]) this.#field(model, model.fields[name]);
  }

  #text(type: string, chain = ''): void {
    if (!this.#declared.has(type) || this.#seen.has(`${type} text ${chain}`)) return;
    this.#seen.add(`${type} text ${chain}`);
    const model = this.#declared.get(type);
    const column = columnAt(model, chain);
    if (column) {
      this.#columns(type, [column]);
      return;
    }
    if (!chain) this.#columns(type, model.display.columns);
    for (const { column, typeColumn, to, rest } of (chain ? [chain] : (model.display.related ?? [])).map((one) =>
      reachOf(model, one),
    )) {
      this.#columns(type, [column, ...(typeColumn ? [typeColumn] : [])]);
      for (const other of to ?? []) {
        this.#leads(type, other);
        this.#text(other, rest);
      }
    }
  }

  #field(model: Model, field: Field): void {
    const { relation, batched, generic } = field;
    if (relation) {
      this.#leads(model.name, relation.to);
      this.#shown(relation.to, relation.form);
    }
    for (const type of batched?.from ?? []) this.#all(type);
    for (const type of batched?.links?.to ?? []) {
      this.#whole.add(type);
      this.#shown(type, batched!.links!.form);
    }
    for (const type of generic?.to ?? []) {
      this.#leads(model.name, type);
      this.#shown(type, generic!.form);
    }
    if (field.special === 'customFields')
      for (const type of CUSTOM_FIELDS)
        if (this.#declared.has(type)) {
          this.#whole.add(type);
          this.#columns(
            type,
            columnsOf(this.#declared.get(type)).map((c) => c.name),
          );
        }
    const listed = listedBy(field);
    if (listed) this.#ordered(listed);
    this.#reverse(model, field);
  }

  /** Notes what the order of a list of objects depends on. */
  #ordered(type: string): void {
    for (const [at, columns] of this.#declared.orderedBy(type)) {
      if (at !== type) this.#leads(type, at);
      this.#columns(at, [...columns]);
    }
  }

  /** Notes what a field counts or lists of the objects that point at its own. */
  #reverse(model: Model, { reverse }: Field): void {
    const source = reverse && this.#declared.models.get(reverse.from);
    if (!reverse || !source) return;
    const by = source.fields[reverse.field]!;
    this.#leads(model.name, source.name);
    if (by.reached || by.relation?.many) this.#whole.add(source.name);
    for (const path of by.reached?.paths ?? []) this.#path(source, path);
    if (by.generic)
      this.#columns(
        source.name,
        [by.generic.typeField, by.generic.idField].map((name) => columnName(name, source.fields[name]!)),
      );
    else if (!by.reached) this.#columns(source.name, [columnName(reverse.field, by)]);
    if (reverse.as !== 'count') this.#shown(source.name, reverse.form);
  }

  #path(model: Model, path: Path) {
    const steps = this.#declared.steps(model, path) ?? [];
    for (const { from, to, column, generic, backwards, many } of steps) {
      this.#leads(from, to);
      if (backwards && many) this.#whole.add(to);
      const at = backwards ? to : from;
      this.#columns(at, [column, ...(generic ? [generic.typeColumn] : [])]);
      if (!backwards && this.#foreign(to)) this.#columns(to, replicatedColumns(this.#declared.get(to)));
    }
    return steps;
  }
}
