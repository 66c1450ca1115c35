import type { Catalogue } from './catalogue.ts';

/** What the declarations say about deletions, worked out once: who has a say, and how far they reach. */
export class Deletions {
  readonly #catalogue: Catalogue;
  readonly #guarded: ReadonlySet<string>;
  readonly #asked = new Map<string, readonly string[]>();
  readonly #reach = new Map<string, ReadonlySet<string>>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#guarded = guardedTypes(catalogue);
  }

  /** Whether the deletion of an object may be refused: something protects objects of the type, or what goes with them. */
  isGuarded(type: string): boolean { return this.#guarded.has(type); }

  /**
   * The services besides the owner that are asked before objects of a type go: those that declare a reference to it, whatever becomes of that,
   * and those whose generic fields protect it or take along what may be protected. What other generic fields point at is cleared when the
   * event of the deletion arrives.
   */
  askedAbout(type: string): readonly string[] {
    let known = this.#asked.get(type);
    if (!known) {
      const catalogue = this.#catalogue, asked = catalogue.incoming(type).filter((i) => !i.generic || i.onDelete === 'protect' || (i.onDelete === 'cascade' && this.isGuarded(i.model.name)));
      const services = new Set(asked.map((i) => catalogue.serviceOf(i.model.name)!));
      services.delete(catalogue.serviceOf(type)!);
      this.#asked.set(type, (known = [...services]));
    }
    return known;
  }

  /** The types of the same service of which objects may go when one of a type goes, itself among them. */
  goesWith(type: string): ReadonlySet<string> {
    let known = this.#reach.get(type);
    if (!known) this.#reach.set(type, (known = reach(this.#catalogue, type)));
    return known;
  }
}

/** Grows from the types that something protects to those whose deletion would take such objects along. */
function guardedTypes(catalogue: Catalogue): Set<string> {
  const guarded = new Set<string>();
  for (let before = -1; before < guarded.size;) {
    before = guarded.size;
    for (const type of catalogue.models.keys()) {
      if (catalogue.incoming(type).some(({ model, onDelete }) => onDelete === 'protect' || (onDelete === 'cascade' && guarded.has(model.name)))) guarded.add(type);
    }
  }
  return guarded;
}

function reach(catalogue: Catalogue, type: string): Set<string> {
  const found = new Set([type]), service = catalogue.serviceOf(type);
  for (const at of found) for (const { model, onDelete } of catalogue.incoming(at)) if (onDelete === 'cascade' && catalogue.serviceOf(model.name) === service) found.add(model.name);
  return found;
}
