import { LRUCache } from 'lru-cache';
import type { Cell, Model } from '@cadastre/model';
import type { Writer } from '../response/writer.ts';
import type { Cache, Changes } from './cache.ts';
import type { CustomFieldDefinitions } from './customFields.ts';
import { shownIn } from './embedders.ts';
import type { Tables } from './tables.ts';

/** What tells of a row which state of it this is: every change of a row, whoever makes it, gives it another `xmin`. */
export const MARKS = 't.id, t.xmin';

interface Remembered extends Found {
  mark: string;
}

/** A page of them, when it was asked for last. */
interface RememberedPage {
  ids: readonly string[];
  /** All their texts, with commas between, once somebody has asked again; `state` is that of all rows. */
  whole?: { state: string; text: Buffer };
}

/** Bytes that an entry takes beside its text. */
const OVERHEAD = 200;
/** What part of the room pages may take beside the texts. */
const FOR_PAGES = 1 / 4;

/**
 * Texts of whole objects as they were printed last. A text counts for the state of the row that it was printed from,
 * and as long as no object has changed of which it shows something. Which rows an answer holds, and in which state, is
 * asked of the database each time.
 */
export class RowTexts {
  readonly #texts: LRUCache<string, Remembered> | undefined;
  readonly #pages: LRUCache<string, RememberedPage> | undefined;
  readonly #tables: Tables;
  readonly #cache: Cache;
  readonly #shapes = new WeakMap<Writer, Shape>();
  #count = 0;

  /** `most`: bytes of texts; 0 for none. */
  constructor(tables: Tables, cache: Cache, most: number) {
    this.#tables = tables;
    this.#cache = cache;
    this.#texts = most
      ? new LRUCache<string, Remembered>({ maxSize: most, sizeCalculation: ({ text }) => text.length + OVERHEAD })
      : undefined;
    this.#pages = most
      ? new LRUCache<string, RememberedPage>({ maxSize: Math.ceil(most * FOR_PAGES), sizeCalculation: sizeOf })
      : undefined;
  }

  /** What is remembered of a model's objects in the shape of a writer and with the addresses of a server. */
  of(model: Model, writer: Writer, base: string): Shelved | undefined {
    const texts = this.#texts;
    const pages = this.#pages;
    if (!texts || !pages) return undefined;
    let shape = this.#shapes.get(writer);
    if (!shape) {
      const types = shownIn(this.#tables.catalogue, model, writer.members);
      this.#shapes.set(writer, (shape = { name: `${++this.#count}`, changes: this.#cache.changesOf(types) }));
    }
    return new Shelved(texts, pages, shape, model.name, base);
  }
}

/** Bytes that an id takes. */
const ID = 24;
const sizeOf = ({ ids, whole }: RememberedPage): number =>
  OVERHEAD + ids.length * ID + (whole ? whole.state.length + whole.text.length : 0);

interface Shape {
  name: string;
  changes: Changes;
}

/** Remembered texts of one shape. */
export class Shelved {
  readonly #texts: LRUCache<string, Remembered>;
  readonly #pages: LRUCache<string, RememberedPage>;
  readonly #shape: Shape;
  readonly #type: string;
  readonly #base: string;

  constructor(
    texts: LRUCache<string, Remembered>,
    pages: LRUCache<string, RememberedPage>,
    shape: Shape,
    type: string,
    base: string,
  ) {
    this.#texts = texts;
    this.#pages = pages;
    this.#shape = shape;
    this.#type = type;
    this.#base = base;
  }

  #prefix(): string {
    return `${this.#shape.name} ${this.#shape.changes.count} ${this.#base} `;
  }

  /** Whether a page will probably be found. `page` is whatever it was kept under. */
  foresees(page: string): boolean {
    const ids = this.#pages.get(`${this.#shape.name} ${page}`)?.ids;
    // Those of a page are kept and forgotten together, mostly.
    return ids !== undefined && (!ids.length || (this.has(ids[0]!) && this.has(ids.at(-1)!)));
  }

  /** Whether the text of an object will probably be found. */
  has(id: string): boolean {
    return this.#texts.has(this.#prefix() + id);
  }

  /**
   * The texts of rows `[id, mark]`, or undefined when one of them is not remembered in this state. Ask after the look.
   */
  find(marks: Cell[][]): Found[] | undefined {
    const prefix = this.#prefix();
    const found: Found[] = [];
    for (const [id, mark] of marks) {
      const known = this.#texts.get(prefix + id);
      if (!known || known.mark !== mark) return undefined;
      found.push(known);
    }
    return found;
  }

  /**
   * The texts of all rows `[id, mark]` of a page, with commas between, or undefined when one of them is not remembered
   * in this state. Ask after the look.
   */
  page(page: string, marks: Cell[][]): Buffer | undefined {
    const key = `${this.#shape.name} ${page}`;
    const state = this.#prefix() + marks.join(' ');
    const whole = this.#pages.get(key)?.whole;
    if (whole?.state === state) return whole.text;
    const found = this.find(marks);
    if (!found) return undefined;
    const text = Buffer.from(found.map((one) => one.text).join(','));
    this.#pages.set(key, { ids: marks.map(([id]) => id!), whole: { state, text } });
    return text;
  }

  /** To be called before anything is read that is to be kept: what has changed meanwhile is not. */
  begin(): (
    definitions: CustomFieldDefinitions,
    rows: readonly (Found & { id: string; mark: string })[],
    page?: string,
  ) => void {
    const prefix = this.#prefix();
    return (definitions, rows, page) => {
      // Of which types a text shows something depends on the row then.
      if (definitions.of(this.#type).some((field) => field.relatedType)) return;
      if (page !== undefined) this.#pages.set(`${this.#shape.name} ${page}`, { ids: rows.map(({ id }) => id) });
      if (prefix === this.#prefix())
        for (const { id, mark, text, etag } of rows) this.#texts.set(prefix + id, { mark, text: flat(text), etag });
    };
  }
}

/**
 * The same text in one piece: V8 keeps what was put together as a tree of its parts, and joining trees into a page
 * takes many times longer.
 */
const flat = (text: string): string => Buffer.from(text).toString();

export interface Found {
  text: string;
  /** Where the object was asked for by itself. */
  etag?: string | undefined;
}
