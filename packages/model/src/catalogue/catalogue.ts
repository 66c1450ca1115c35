import type { Model } from '../types/model.ts';
import { Deletions } from './deletions.ts';
import { Models } from './models.ts';
import { problemsOf } from './problems.ts';
import { type Keeping, keepingOf, type Part } from './replicas.ts';

/** All models of all services: who owns what, who refers to whom, and what a service must keep of others' objects. */
export class Catalogue extends Models {
  readonly #kept = new Map<string, Keeping>();
  readonly #keepsAny = new Map<string, boolean>();
  readonly #parts = new Map<string, readonly Part[]>();
  /** Who has a say when objects are deleted, and how far that reaches. */
  readonly deletions: Deletions;

  /** @throws Error when two models share a name or a number, or a declaration names what does not exist */
  constructor(services: Iterable<{ service: string; models: Iterable<Model> }>) {
    super(services);
    for (const model of this.models.values()) {
      const [problem] = problemsOf(this, model);
      if (problem !== undefined) throw new Error(`${model.name}: ${problem}`);
    }
    this.deletions = new Deletions(this);
  }

  /** Whether a service keeps the brief form of every object there is, because objects of its own may point at any. */
  keepsAnyObject(service: string): boolean {
    let known = this.#keepsAny.get(service);
    if (known === undefined) this.#keepsAny.set(service, (known = this.ownedBy(service).some(pointsAnywhere)));
    return known;
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
}

const pointsAnywhere = ({ fields }: Model): boolean =>
  Object.values(fields).some(
    (f) => (f.generic && !f.generic.to) || f.reverse?.from === '*' || (f.batched?.links && !f.batched.links.to),
  );
