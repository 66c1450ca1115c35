import { type Catalogue, type Column, columnsOf, type Model, type Part, quote } from '@cadastre/model';

/** How one service sees the models: its own tables, and those of others as read-only replicas. */
export class Tables {
  readonly catalogue: Catalogue;
  readonly service: string;
  readonly #replicas: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #parts: ReadonlyMap<string, Part>;
  readonly #columns = new Map<string, Map<string, Column>>();

  constructor(catalogue: Catalogue, service: string) {
    this.catalogue = catalogue;
    this.service = service;
    this.#replicas = catalogue.replicas(service);
    this.#parts = catalogue.parts(service);
    this.keepsAnyObject = catalogue.keepsAnyObject(service);
  }

  owns(type: string): boolean {
    return this.catalogue.serviceOf(type) === this.service;
  }

  /** Whether objects of a type are in this service's database, own or replicated. */
  has(type: string): boolean {
    return this.owns(type) || this.#replicas.has(type);
  }

  /** Whether this service keeps the brief form of every object there is, because its own may point at any. */
  readonly keepsAnyObject: boolean;

  /**
   * Services whose changes matter here: those that own what is replicated or referred to. Custom fields may refer to
   * anything.
   */
  followed(): string[] {
    if (this.keepsAnyObject) return this.catalogue.services();
    if (this.catalogue.ownedBy(this.service).some((model) => model.features.has('customFields')))
      return this.catalogue
        .services()
        .filter((s) => s !== this.service)
        .sort();
    const types = [
      ...this.#replicas.keys(),
      ...this.catalogue
        .ownedBy(this.service)
        .flatMap((model) => Object.values(model.fields).flatMap((f) => f.relation?.to ?? [])),
    ];
    const services = types
      .map((type) => this.catalogue.serviceOf(type))
      .filter((s): s is string => s !== undefined && s !== this.service);
    return [...new Set(services)].sort();
  }

  /** Types of other services that are kept here, with the columns that are. */
  get replicas(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#replicas;
  }

  /** Which objects of a type are kept here, where not all are: these, and what is pointed at. */
  partOf(type: string): Part | undefined {
    return this.#parts.get(type);
  }

  /**
   * Whether all objects of a type that a model's objects point at are here: of a type that is kept in part, those that
   * only a third service's objects point at may be missing.
   */
  reaches(type: string, from: Model): boolean {
    return this.has(type) && (!this.partOf(type) || this.owns(from.name) || from.name === type);
  }

  /** Quoted name of a type's table. @throws Error when its objects are not here */
  nameOf(type: string): string {
    const { table } = this.catalogue.get(type);
    if (this.owns(type)) return quote(table);
    if (this.#replicas.has(type)) return `replica.${quote(table)}`;
    throw new Error(`objects of ${type} are not kept in ${this.service}`);
  }

  /** Whether the given columns of a type are all here. A replica that only serves a count has few. */
  holds(type: string, columns: readonly string[]): boolean {
    if (!this.has(type)) return false;
    const kept = this.columnsOf(this.catalogue.get(type));
    return columns.every((name) => kept.has(name));
  }

  /** Columns of a type that are here, by name. */
  columnsOf(model: Model): Map<string, Column> {
    const known = this.#columns.get(model.name);
    if (known) return known;
    const kept = this.owns(model.name) ? undefined : (this.#replicas.get(model.name) ?? new Set<string>());
    const columns = new Map(
      columnsOf(model)
        .filter((c) => !kept || kept.has(c.name))
        .map((c) => [c.name, c]),
    );
    this.#columns.set(model.name, columns);
    return columns;
  }
}
