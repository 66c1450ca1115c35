import { parseHTML } from 'linkedom';
import type { Json } from '@cadastre/model';

/** The members of an element that are used. */
interface Control {
  localName: string;
  textContent: string;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  querySelectorAll(selector: string): Iterable<Control>;
}

/**
 * The data of a form that a browser without scripts would send; tests fill in fields by their labels, not by
 * parameters.
 */
export class PageForm {
  /** The address to which it is sent. */
  readonly action: string;
  readonly multipart: boolean;
  /** Names of all fields, empty or not. */
  readonly names: ReadonlySet<string>;
  readonly #fields: Control[];
  readonly #given = new Map<string, string[]>();
  readonly #more = new Map<string, string>();

  /** The form of a page that users fill in. */
  constructor(html: string, selector = 'main form[method="post"]') {
    const form = parseHTML(html).document.querySelector(selector);
    if (!form) throw new Error(`There is no ${selector}: ${html.slice(0, 2_000)}`);
    this.action = form.getAttribute('action') ?? '';
    this.multipart = form.getAttribute('enctype') === 'multipart/form-data';
    this.#fields = [...form.querySelectorAll('input, select, textarea')].filter(
      (field) => field.hasAttribute('name') && !field.hasAttribute('disabled'),
    );
    const all = this.#fields.map((field) => field.getAttribute('name')!);
    this.names = new Set([...all, ...all.flatMap((name) => /^(\w+)\.0\./.exec(name)?.[1] ?? [])]);
  }

  /** Fills in a field so that it has this value, as a user would. */
  fill(name: string, value: Json): void {
    const [field] = this.#fields.filter((one) => one.getAttribute('name') === name);
    if (!field && this.names.has(name)) {
      this.#fillRows(name, value);
      return;
    }
    if (!field) throw new Error(`There is no field ${name}.`);
    const checks = field.getAttribute('type') === 'checkbox';
    const one = value ? [field.getAttribute('value') ?? 'on'] : [];
    // Of several checkboxes with one name, those with the wanted values are ticked.
    this.#given.set(name, checks ? (Array.isArray(value) ? value.map(String) : one) : textsOf(value, field));
    // A value that has to be typed twice is.
    if (this.names.has(`_again.${name}`)) this.fill(`_again.${name}`, value);
  }

  /** A field that is filled in row by row: without scripts, the page is requested with as many rows as are needed. */
  #fillRows(name: string, value: Json): void {
    const of = (row: number) => `${name}.${row}.`;
    const columns = this.#fields
      .map((field) => field.getAttribute('name')!)
      .filter((one) => one.startsWith(of(0)))
      .map((one) => one.slice(of(0).length));
    const rows = Array.isArray(value) ? value : Object.entries(value ?? {});
    rows.forEach((row, at) => {
      columns.forEach((column, i) => {
        const cell = Array.isArray(row) ? row[i] : (row as Record<string, Json>)[column];
        if (cell !== undefined) this.#more.set(of(at) + column, String(cell));
      });
    });
  }

  /** The parameters, in the order of their fields. */
  sent(): [name: string, value: string][] {
    const done = new Set<string>();
    const own = this.#fields.filter((field) => !this.#more.has(field.getAttribute('name')!));
    return [
      ...own.flatMap((field) => {
        const name = field.getAttribute('name')!;
        const given = this.#given.get(name);
        if (!given) return ownValues(field).map((value): [string, string] => [name, value]);
        if (done.has(name)) return [];
        done.add(name);
        return given.map((value): [string, string] => [name, value]);
      }),
      ...this.#more,
    ];
  }
}

/** The parser does not decode entities in text areas. */
const SIGNS: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const plain = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => SIGNS[sign]!);

function ownValues(field: Control): string[] {
  const value = field.getAttribute('value');
  switch (field.localName) {
    case 'select': {
      const options = [...field.querySelectorAll('option')];
      const chosen = options.filter((option) => option.hasAttribute('selected'));
      const sent = chosen.length || field.hasAttribute('multiple') ? chosen : options.slice(0, 1);
      return sent.map((option) => option.getAttribute('value') ?? option.textContent);
    }
    case 'textarea':
      // A line break at the beginning belongs to the markup.
      return [plain(field.textContent).replace(/^\n/, '')];
    default:
      switch (field.getAttribute('type')) {
        case 'checkbox':
        case 'radio':
          return field.hasAttribute('checked') ? [value ?? 'on'] : [];
        case 'file':
        case 'submit':
        case 'button':
          return [];
        default:
          return [value ?? ''];
      }
  }
}

/** A pair of numbers is written as a range. */
const isRange = (value: Json): value is number[] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number');

function textsOf(value: Json, field: Control): string[] {
  if (Array.isArray(value) && value.length && value.every(isRange)) return [value.map((one) => one.join('-')).join()];
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) {
    const texts = value.map(String);
    return field.hasAttribute('multiple') ? texts : [texts.join(', ')];
  }
  return [typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)];
}
