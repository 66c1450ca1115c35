import { LRUCache } from 'lru-cache';
import type { Cell, Model } from '@cadastre/model';
import type { Writer } from './writer.ts';
import { type Cache, type ChangeCounter, isCurrent, type CacheVersion } from '../cache/cache.ts';
import type { CustomFieldDefinitions } from '../cache/customFieldDefinitions.ts';
import { shownIn } from '../cache/embedders.ts';
import type { Tables } from '../db/tables.ts';

/** What identifies the state of a row: every change of a row, whoever makes it, gives it another `xmin`. */
export const MARKS = 't.id, t.xmin';

interface Remembered extends Found {
  mark: string;
}

/** A page of objects, as it was when it was asked for last. */
interface RememberedPage {
  /** What was found, `[id, mark]`: the rows that are shown, and perhaps one more. */
  rows: Cell[][];
  /** The rows are valid for as long as nothing has changed since then. */
  since: CacheVersion;
  /** The texts of those that are shown, with commas between, once somebody has asked again. */
  whole?: { prefix: string; text: Buffer };
}

/** Bytes that an entry takes beside its text. */
const OVERHEAD = 200;
/**
 * The room for pages, and for the rows of single objects, in addition to that for texts, as fractions of the latter.
 */
const FOR_PAGES = 1 / 4;
const FOR_ROWS = 1 / 8;

/**
 * Texts of whole objects as they were printed last. A text is valid for the state of the row that it was printed from,
 * and as long as no object has changed of which it shows something. Which rows a page holds, and in which states, is
 * remembered too, until an object changes on which that depends; then the database is asked again. The same goes for
 * the row of a single object.
 */
export class RowTextCache {
  readonly #kept: Kept | undefined;
  readonly #tables: Tables;
  readonly #cache: Cache;
  readonly #shapes = new WeakMap<Writer, Shape>();
  #count = 0;

  /** `most`: bytes of texts; 0 for none. */
  constructor(tables: Tables, cache: Cache, most: number) {
    this.#tables = tables;
    this.#cache = cache;
    this.#kept = most ? keeping(most) : undefined;
  }

  /** What is remembered of a model's objects in the shape of a writer and with the addresses of a server. */
  of(model: Model, writer: Writer, base: string): RowTextRegion | undefined {
    if (!this.#kept) return undefined;
    let shape = this.#shapes.get(writer);
    if (!shape) {
      const types = shownIn(this.#tables.catalogue, model, writer.members);
      this.#shapes.set(writer, (shape = { name: `${++this.#count}`, changes: this.#cache.changesOf(types) }));
    }
    return new RowTextRegion(this.#kept, shape, this.#cache, model.name, base);
  }
}

/** Bytes that an id and a mark take. */
const ROW = 150;
const sizeOf = ({ rows, whole }: RememberedPage): number =>
  OVERHEAD + rows.length * ROW + (whole ? whole.prefix.length + whole.text.length : 0);

const areSame = (some: readonly Cell[][], others: readonly Cell[][]): boolean =>
  some === others ||
  (some.length === others.length && some.every(([id, mark], i) => id === others[i]![0] && mark === others[i]![1]));

/** The row of one object. */
interface RememberedRow {
  mark: Cell[];
  since: CacheVersion;
}

interface Kept {
  texts: LRUCache<string, Remembered>;
  pages: LRUCache<string, RememberedPage>;
  rows: LRUCache<string, RememberedRow>;
}

const keeping = (most: number): Kept => ({
  texts: new LRUCache({ maxSize: most, sizeCalculation: ({ text }) => text.length + OVERHEAD }),
  pages: new LRUCache({ maxSize: Math.ceil(most * FOR_PAGES), sizeCalculation: sizeOf }),
  rows: new LRUCache({
    maxSize: Math.ceil(most * FOR_ROWS),
    sizeCalculation: (_, name) => OVERHEAD + ROW + name.length,
  }),
});

interface Shape {
  name: string;
  changes: ChangeCounter;
}

/** Remembered texts of one shape. */
export class RowTextRegion {
  readonly #kept: Kept;
  readonly #shape: Shape;
  readonly #cache: Cache;
  readonly #type: string;
  readonly #base: string;

  constructor(kept: Kept, shape: Shape, cache: Cache, type: string, base: string) {
    this.#kept = kept;
    this.#shape = shape;
    this.#cache = cache;
    this.#type = type;
    this.#base = base;
  }

  #prefix(): string {
    return `${this.#shape.name} ${this.#shape.changes.count} ${this.#base} `;
  }

  /** The current version of what depends on objects of some types. To be taken before anything is read. */
  versionOf(types: readonly string[]): CacheVersion {
    return this.#cache.versionOf(types);
  }

  #page(page: string): RememberedPage | undefined {
    return this.#kept.pages.get(`${this.#shape.name} ${page}`);
  }

  /** Whether a page of `most` rows will probably be found. `page` is the name under which it was kept. */
  probablyHas(page: string, most = Infinity): boolean {
    const rows = this.#page(page)?.rows.slice(0, most);
    // The texts of a page are mostly kept and forgotten together.
    return rows !== undefined && (!rows.length || (this.has(rows[0]![0]!) && this.has(rows.at(-1)![0]!)));
  }

  /** The rows `[id, mark]` of a page, or undefined where they may be others by now. Ask after the poll. */
  rows(page: string): Cell[][] | undefined {
    const known = this.#page(page);
    return known && isCurrent(known.since) ? known.rows : undefined;
  }

  /** The row `[id, mark]` of one object, or undefined where it may be another by now. Ask after the poll. */
  row(name: string): Cell[] | undefined {
    const known = this.#kept.rows.get(name);
    return known && isCurrent(known.since) ? known.mark : undefined;
  }

  /** @param since taken before the row was read */
  keepRow(name: string, mark: Cell[], since: CacheVersion): void {
    if (this.#kept.rows.get(name)?.since.count !== since.count) this.#kept.rows.set(name, { mark, since });
  }

  /** Whether the text of an object will probably be found. */
  has(id: string): boolean {
    return this.#kept.texts.has(this.#prefix() + id);
  }

  /**
   * The texts of rows `[id, mark]`, or undefined when one of them is not remembered in this state. Ask after the poll.
   */
  find(marks: Cell[][]): Found[] | undefined {
    const prefix = this.#prefix();
    const found: Found[] = [];
    for (const [id, mark] of marks) {
      const known = this.#kept.texts.get(prefix + id);
      if (!known || known.mark !== mark) return undefined;
      found.push(known);
    }
    return found;
  }

  /**
   * The texts of the first rows `[id, mark]` of a page, with commas between, or undefined when one of them is not
   * remembered in this state. Ask after the poll. @param since taken before the rows were read
   */
  page(page: string, rows: Cell[][], most: number, since: CacheVersion): Buffer | undefined {
    const prefix = this.#prefix();
    const known = this.#page(page);
    const whole = known?.whole?.prefix === prefix && areSame(known.rows, rows) ? known.whole : undefined;
    if (whole && known!.since.count === since.count) return whole.text;
    const text = whole?.text ?? this.#joined(rows.slice(0, most));
    if (!text) return undefined;
    this.#kept.pages.set(`${this.#shape.name} ${page}`, { rows, since, whole: { prefix, text } });
    return text;
  }

  #joined(marks: Cell[][]): Buffer | undefined {
    const found = this.find(marks);
    return found && Buffer.from(found.map((one) => one.text).join(','));
  }

  /** To be called before anything is read that is to be kept: what has changed in the meantime is not kept. */
  begin(): (
    definitions: CustomFieldDefinitions,
    shown: readonly (Found & { id: string; mark: string })[],
    page?: { name: string; rows: Cell[][]; since: CacheVersion },
  ) => void {
    const prefix = this.#prefix();
    return (definitions, shown, page) => {
      // With such a custom field, the types of which a text shows something depend on the row.
      if (definitions.of(this.#type).some((field) => field.relatedType)) return;
      if (page) this.#kept.pages.set(`${this.#shape.name} ${page.name}`, { rows: page.rows, since: page.since });
      if (prefix === this.#prefix())
        for (const { id, mark, text, etag } of shown)
          this.#kept.texts.set(prefix + id, { mark, text: flat(text), etag });
    };
  }
}

/**
 * The same text in one piece: V8 keeps a concatenated text as a tree of its parts, and joining trees into a page takes
 * many times longer.
 */
const flat = (text: string): string => Buffer.from(text).toString();

export interface Found {
  text: string;
  /** Given where the object was asked for by itself. */
  etag?: string | undefined;
}
