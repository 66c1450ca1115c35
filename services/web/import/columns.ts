import type { Catalogue, Dict, Json, Model } from '@cadastre/model';
import { isDict } from '@cadastre/model';
import type { CustomWidget } from '../forms/customFields.ts';
import type { Form } from '../forms/form.ts';
import { givenValue } from '../forms/values.ts';
import type { Widget } from '../model/widgets.ts';
import { isList, isOfDocument } from './documents/members.ts';
import type { Parsed, Row } from './parse.ts';

/** A text that stands for an object, by an attribute of it, or by what it is called. */
export interface Named {
  widget: Widget;
  attribute: string | undefined;
  text: string;
}

/** An object to be written: what is said of it, and what is said by name. */
export interface Draft {
  line: number;
  body: Dict;
  named: Named[];
  /** Lists of objects inside it, as the file has them. */
  parts: Record<string, Json>;
  problems: Record<string, string>;
}

export interface Columns {
  form: Form;
  catalogue: Catalogue;
  model: Model;
}

const ALWAYS = new Set(['id', 'changelog_message']);
const isReference = ({ kind }: Widget): boolean => kind === 'picker' || kind === 'pickers';
const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text);
const TRUE = /^(true|yes|1|on)$/i;
const FALSE = /^(false|no|0|off)$/i;

/** What a text of CSV means for a field that is no reference. */
function cellOf(widget: Widget, text: string): { value: Json } | { problem: string } {
  if (widget.kind === 'checkbox' || (widget.choices.length === 2 && widget.choices[0]!.value === 'true'))
    return TRUE.test(text) ? { value: true } : FALSE.test(text) ? { value: false } : { value: text };
  if (widget.kind === 'select') {
    const found = widget.choices.find(
      ({ value, label, declared = label }) =>
        String(value) === text || [label, declared].some((one) => one.toLowerCase() === text.toLowerCase()),
    );
    return { value: found?.value ?? text };
  }
  // A file says a moment as the API does, whoever imports it.
  if (widget.kind === 'datetime') return { value: text };
  const texts = widget.kind === 'selects' ? text.split(',').map((one) => one.trim()) : [text];
  return givenValue(widget, texts) ?? { value: text };
}

/** Columns that no field has, each once. */
export function unknownColumns(rows: readonly Row[], columns: Columns): string[] {
  const known = knownNames(columns);
  const names = new Set(rows.flatMap(({ values }) => Object.keys(values)));
  return [...names].filter(
    (name) => !known.has(name.split('.')[0]!) && !isOfDocument(columns.model, name) && !ALWAYS.has(name),
  );
}

function knownNames({ form: { own, tags, custom } }: Columns): Set<string> {
  return new Set([
    ...own.map(({ name }) => name),
    ...(tags ? [tags.name] : []),
    ...custom.map(({ name }) => name),
    ...(custom.length ? ['custom_fields'] : []),
  ]);
}

/** What the rows of a file say, by field. */
export function draftsOf({ rows, texts }: Pick<Parsed, 'rows' | 'texts'>, columns: Columns): Draft[] {
  const { own, tags, custom } = columns.form;
  const widgets = new Map<string, Widget | CustomWidget>(
    [...own, ...(tags ? [tags] : []), ...custom].map((one) => [one.name, one]),
  );
  return rows.map(({ line, values }) => draftOf(line, values, texts, widgets, columns.model));
}

function draftOf(
  line: number,
  values: Dict,
  texts: boolean,
  widgets: ReadonlyMap<string, Widget | CustomWidget>,
  model: Model,
): Draft {
  const draft: Draft = { line, body: {}, named: [], parts: {}, problems: {} };
  const { documents } = model;
  for (const [member, value] of Object.entries(values)) {
    const column = documents?.also?.[member] ?? member;
    if (texts && value === '') continue;
    if (ALWAYS.has(column)) draft.body[column] = column === 'id' && typeof value === 'string' ? Number(value) : value;
    else if (documents && isList(documents, column)) draft.parts[column] = value;
    else {
      const [name = '', ...attribute] = column.split('.');
      const widget = widgets.get(name);
      // A picture comes as a file of its own, not in a text.
      if (widget?.kind === 'file') continue;
      if (widget) put(draft, widget, attribute.join('.') || undefined, value, texts);
      else if (name === 'custom_fields' && isDict(value)) customOf(draft, value);
    }
  }
  return draft;
}

const customOf = ({ body }: Draft, more: Dict): void => {
  body['custom_fields'] = { ...(body['custom_fields'] as Dict | undefined), ...more };
};

function put(
  draft: Draft,
  widget: Widget | CustomWidget,
  attribute: string | undefined,
  value: Json,
  texts: boolean,
): void {
  const { named } = draft;
  if (isReference(widget)) {
    const items = widget.kind === 'picker' ? [value] : texts ? String(value).split(',') : [value].flat();
    const known: Json[] = [];
    for (const item of items) {
      const text = typeof item === 'string' ? item.trim() : item;
      if (typeof text !== 'string') known.push(text);
      else if (attribute === undefined && isNumber(text)) known.push(Number(text));
      else if (text) named.push({ widget, attribute, text });
    }
    if (widget.kind === 'pickers') keep(draft, widget, widget.name === 'tags' ? known.map(asTag) : known);
    else if (known.length) keep(draft, widget, known[0]!);
    return;
  }
  if (!texts) {
    keep(draft, widget, value);
    return;
  }
  const found = cellOf(widget, String(value));
  if ('problem' in found) draft.problems[widget.name] = found.problem;
  else keep(draft, widget, found.value);
}

const asTag = (value: Json): Json => (typeof value === 'number' ? { id: value } : value);

/** Puts a value where it belongs; what is named later joins what is there of several. */
export function keep(draft: Draft, widget: Widget | CustomWidget, value: Json): void {
  if ('custom' in widget) {
    customOf(draft, { [widget.custom]: value });
    return;
  }
  const before = draft.body[widget.name];
  draft.body[widget.name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}
