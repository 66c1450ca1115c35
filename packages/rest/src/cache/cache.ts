import { LRUCache } from 'lru-cache';
import { type Catalogue, type Form, typeId } from '@cadastre/model';
import { embedders } from './embedders.ts';
import type { InvalidationListener } from './invalidationPoller.ts';

/** How many entries of one kind a process keeps by default. */
const MAX_ENTRIES = 50_000;

/** A limit on the total size of entries; `of` is the size of one. */
interface Room<V> {
  most: number;
  of(value: V): number;
}

/**
 * One kind of cached thing, e.g. the briefs of sites. A value that is invalidated while it is being loaded is not
 * stored.
 */
export class CacheRegion<V extends {}> {
  readonly #entries: LRUCache<string, V> | undefined;
  /** Fills under way, each with what was invalidated since it began. */
  readonly #fills = new Set<{ all: boolean; keys: Set<string> }>();

  /** `most`: entries; 0 for none. */
  constructor(most = MAX_ENTRIES, room: Room<V> = { most, of: () => 1 }) {
    // The number of entries is bounded by the least size counted for each: for a `max`, memory would be allocated at
    // once, a megabyte for each kind.
    const least = Math.ceil(room.most / most);
    this.#entries = most
      ? new LRUCache<string, V>({ maxSize: room.most, sizeCalculation: (value) => Math.max(least, room.of(value)) })
      : undefined;
  }

  get(key: string): V | undefined {
    return this.#entries?.get(key);
  }

  invalidate(key: string): void {
    this.#entries?.delete(key);
    for (const fill of this.#fills) fill.keys.add(key);
  }

  clear(): void {
    if (this.#entries?.size) this.#entries.clear();
    for (const fill of this.#fills) fill.all = true;
  }

  /**
   * Loads values and keeps those that were not invalidated meanwhile, unless `keep` says otherwise. Returns all that
   * were loaded.
   */
  async fill(load: () => Promise<Map<string, V>>, keep: () => boolean = () => true): Promise<Map<string, V>> {
    const fill = { all: false, keys: new Set<string>() };
    this.#fills.add(fill);
    try {
      const loaded = await load();
      if (keep() && !fill.all)
        for (const [key, value] of loaded) if (!fill.keys.has(key)) this.#entries?.set(key, value);
      return loaded;
    } finally {
      this.#fills.delete(fill);
    }
  }
}

/** Counts changes, for what is kept elsewhere. */
export class ChangeCounter {
  count = 0;
  clear(): void {
    this.count += 1;
  }
}

/** A moment in the changes of some types. */
export interface CacheVersion {
  changes: ChangeCounter;
  count: number;
}

/** Whether nothing has changed since a moment. */
export const isCurrent = ({ changes, count }: CacheVersion): boolean => changes.count === count;

/** A region, whatever it holds. */
interface Clearable {
  invalidate(key: string): void;
  clear(): void;
}

/**
 * What a process remembers of objects: their brief forms, counts of what refers to them, ids of filter values, totals
 * of lists. Exact: `InvalidationPoller` reports every change to it before a request is answered.
 */
export class Cache implements InvalidationListener {
  readonly #catalogue: Catalogue;
  readonly #most: number;
  /** Texts of objects: by type, and by form (or the chain to the object whose text it is). */
  readonly #texts = new Map<string, Map<string, Clearable>>();
  readonly #byType = new Map<string, Set<{ clear(): void }>>();
  readonly #regions = new Map<string, { clear(): void }>();
  readonly #embedders: Map<string, Set<string>>;

  constructor(catalogue: Catalogue, most = MAX_ENTRIES) {
    this.#catalogue = catalogue;
    this.#most = most;
    this.#embedders = embedders(catalogue);
  }

  /** Briefs of a type in a form. */
  briefs(type: string, form: Form): CacheRegion<Brief> {
    return this.#regionOf<Brief>(type, form);
  }

  /** The texts that stand for objects of a type, or for those that a chain of references leads to from them. */
  displays(type: string, chain: string): CacheRegion<string> {
    return this.#regionOf<string>(type, `display ${chain}`);
  }

  #regionOf<V extends {}>(type: string, name: string): CacheRegion<V> {
    let forms = this.#texts.get(type);
    if (!forms) this.#texts.set(type, (forms = new Map()));
    let found = forms.get(name) as CacheRegion<V> | undefined;
    if (!found) forms.set(name, (found = new CacheRegion<V>(this.#most)));
    return found;
  }

  /** A region that is emptied whenever an object of one of the types changes. */
  region<V extends {}>(name: string, types: Iterable<string>, room?: Room<V>): CacheRegion<V> {
    return this.#told(name, types, () => new CacheRegion<V>(this.#most, room));
  }

  /** How often an object of one of the types has changed. */
  changesOf(types: readonly string[]): ChangeCounter {
    return this.#told(`changes ${[...types].sort().join()}`, types, () => new ChangeCounter());
  }

  /** This moment, for what depends on objects of some types. To be taken before anything is read. */
  versionOf(types: readonly string[]): CacheVersion {
    const changes = this.changesOf(types);
    return { changes, count: changes.count };
  }

  #told<T extends { clear(): void }>(name: string, types: Iterable<string>, make: () => T): T {
    const known = this.#regions.get(name) as T | undefined;
    if (known) return known;
    const made = make();
    this.#regions.set(name, made);
    for (const type of types) {
      const set = this.#byType.get(type) ?? new Set();
      set.add(made);
      this.#byType.set(type, set);
    }
    return made;
  }

  invalidate(id: number, object: string): void {
    const type = this.#catalogue.typeById(id);
    if (type === undefined) {
      if (id === ANY_TYPE) this.invalidateAll();
      return;
    }
    for (const region of this.#texts.get(type)?.values() ?? [])
      if (object === ALL) region.clear();
      else region.invalidate(object);
    for (const other of this.#embedders.get(type) ?? [])
      for (const region of this.#texts.get(other)?.values() ?? []) region.clear();
    for (const region of this.#byType.get(type) ?? []) region.clear();
    // What counts objects of any type (`tagged_items`) depends on all of them.
    for (const region of this.#byType.get('*') ?? []) region.clear();
  }

  invalidateAll(): void {
    for (const forms of this.#texts.values()) for (const region of forms.values()) region.clear();
    for (const region of this.#regions.values()) region.clear();
  }
}

/** Stands in `cache_invalidation` for all objects of a type. */
export const ALL = '0';

/** Number in `cache_invalidation` that stands for every type; docs/operations.md names it. */
export const ANY_TYPE = typeId('*');

/** A brief form, cut where the address of the server stands. */
export class Brief {
  readonly #parts: string[];
  #base = '';
  #text: string;
  #display: string | undefined;

  constructor(parts: string[]) {
    this.#parts = parts;
    this.#text = parts.join('');
  }

  /** The text that stands for the object. */
  get display(): string {
    return (this.#display ??= String((JSON.parse(this.#parts.join('')) as { display?: unknown }).display ?? ''));
  }

  /** JSON text with the given address. */
  at(base: string): string {
    if (base !== this.#base) {
      this.#text = this.#parts.join(base);
      this.#base = base;
    }
    return this.#text;
  }
}
