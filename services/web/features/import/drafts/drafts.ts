import type { Catalogue, Dict, Json, Model } from '@cadastre/model';
import { isDict } from '@cadastre/model';
import type { CustomWidget } from '../../form/schema/customFieldWidgets.ts';
import type { Widget } from '../../../schema/widget.ts';
import { fieldOf, isList, isOfDocument } from './documentMembers.ts';
import { unescapeFormula } from '../reading/formula.ts';
import { spoken } from '../../../ui/texts/speaking.ts';
import { cellOf, FALSE, plainOf, split, TRUE } from '../columns/cells.ts';
import { type FileColumn, type FileColumns, fileColumns } from '../columns/fileColumns.ts';
import { passedColumns } from '../columns/passed.ts';
import type { Parsed, Row } from '../reading/parse.ts';
import type { Draft, Named } from './draft.ts';
import type { Columns } from '../columns/fileColumns.ts';

const say: ReturnType<typeof spoken>['texts'] = (...said) => spoken().texts(...said);

const ALWAYS = new Set(['id', 'changelog_message']);

const made = new WeakMap<Columns, FileColumns>();

function known(columns: Columns): FileColumns {
  let there = made.get(columns);
  if (!there) made.set(columns, (there = fileColumns(columns.form, columns.model, columns.catalogue)));
  return there;
}

/** Unknown columns, each once. */
export function unknownColumns(rows: Parsed['rows'], columns: Columns): string[] {
  const names = new Set(rows.flatMap(({ values }) => Object.keys(values)));
  const there = known(columns);
  const passed = passedColumns(columns.model, columns.catalogue);
  return [...names].filter((name) => {
    const [column = '', attribute] = name.split('.');
    if (attribute !== undefined) return !canName(there.get(column), attribute, columns.catalogue);
    return !(
      there.has(name) ||
      isOfDocument(columns.model, name) ||
      ALWAYS.has(name) ||
      passed.has(name) ||
      name === 'custom_fields'
    );
  });
}

/** Ignored columns, each once: those that can never be written, or not in this import. */
export function passedOver(rows: Parsed['rows'], drafts: readonly Draft[], columns: Columns): string[] {
  const there = known(columns);
  const passed = passedColumns(columns.model, columns.catalogue);
  const names = new Set(
    rows.flatMap(({ values }) =>
      Object.entries(values).flatMap(([name, value]) => (value === '' || value === null ? [] : [name])),
    ),
  );
  const later = drafts.flatMap((draft) => draft.later);
  return [...[...names].filter((name) => !there.has(name) && passed.has(name)), ...new Set(later)];
}

/** The contents of a row, as values by field and references. */
export function draftsOf({ rows, texts }: Pick<Parsed, 'rows' | 'texts'>, columns: Columns): Draft[] {
  const there = known(columns);
  return rows.map((row, nth) => draftOf(row, nth, texts, there, columns.model));
}

const draftAt = ({ line, places }: Pick<Draft, 'line' | 'places'>, more: Partial<Draft> = {}): Draft => ({
  line,
  places,
  nth: 0,
  body: {},
  from: {},
  said: {},
  named: [],
  found: {},
  after: {},
  marks: {},
  later: [],
  parts: {},
  problems: {},
  ...more,
});

function draftOf(row: Row, nth: number, texts: boolean, columns: FileColumns, model: Model): Draft {
  const { values } = row;
  const draft = draftAt(row, { nth, said: values });
  const { documents } = model;
  const changes = values['id'] !== undefined && values['id'] !== null && values['id'] !== '';
  const take = (name: string, attribute: string | undefined, value: Json): void => {
    const column = columns.get(name);
    // Pictures are imported as files, not as text in a column.
    if (!column || column.widget?.kind === 'file') return;
    if (texts && value === '') {
      if (changes && attribute === undefined) empty(draft, column);
    } else put(draft, column, attribute, texts && typeof value === 'string' ? unescapeFormula(value) : value, texts);
  };
  for (const [member, value] of Object.entries(values)) {
    const name = fieldOf(documents, member);
    const [column = '', ...attribute] = name.split('.');
    if (name === 'id') idOf(draft, value);
    else if (ALWAYS.has(name)) draft.body[name] = value;
    else if (documents && isList(documents, name)) draft.parts[name] = value;
    else if (name === 'custom_fields')
      custom(draft, value, (field, one) => {
        take(field, undefined, one);
        return columns.has(field);
      });
    else take(column, attribute.join('.') || undefined, value);
  }
  if (!changes) giveEmpty(draft, columns);
  needs(draft, columns);
  joinPairs(draft);
  return draft;
}

/** Whether the objects of a column can be named by an attribute. */
function canName(column: FileColumn | undefined, attribute: string, catalogue: Catalogue): boolean {
  if (!column?.naming || attribute === 'id') return column?.naming !== undefined;
  const { of } = column.naming;
  const model = typeof of === 'string' ? catalogue.models.get(of) : undefined;
  return !model || (attribute in model.fields && attribute in catalogue.filtersOf(model));
}

/** Fields that the API requires, though they may be null: if the file omits them, null is sent. */
function giveEmpty({ body, named }: Draft, columns: FileColumns): void {
  for (const { widget, naming, name } of columns.values())
    if (naming && widget?.kind === 'picker' && widget.required && widget.nullable && !(name in body))
      if (!named.some(({ column }) => column.name === name)) body[name] = null;
}

/** An export has both the id and the name of an object: both mean the same object. */
function joinPairs(draft: Draft): void {
  for (const one of draft.named) {
    const { idField } = one.column.pair ?? {};
    const beside = draft.named.find(({ column }) => column.widget && column.name === idField);
    if (beside?.id === undefined || one.id !== undefined) continue;
    one.id = beside.id;
    draft.named.splice(draft.named.indexOf(beside), 1);
  }
}

function idOf(draft: Draft, value: Json): void {
  if (value === '' || value === null) return;
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value)))
    draft.body['id'] = Number(value);
  else draft.problems['id'] = say('importWhole');
}

function custom(draft: Draft, value: Json, take: (field: string, value: Json) => boolean): void {
  if (!isDict(value)) return void (draft.problems['custom_fields'] = say('importObject'));
  for (const [field, one] of Object.entries(value)) if (!take(`cf_${field}`, one)) customOf(draft, { [field]: one });
}

const customOf = ({ body }: Draft, more: Dict): void => {
  body['custom_fields'] = { ...(body['custom_fields'] as Dict | undefined), ...more };
};

/** An empty cell of a row that changes an object clears the field, if it can be empty. */
function empty(draft: Draft, { widget, naming, name }: FileColumn): void {
  if (!widget || widget.required || widget.ofField) return;
  if (['secret', 'file', 'rows', 'checkbox'].includes(widget.kind)) return;
  if (widget.kind === 'pickers' || widget.kind === 'selects' || widget.kind === 'checks' || widget.kind === 'list')
    keep(draft, widget, []);
  else if (naming) keep(draft, widget, null);
  else if (widget.kind === 'text' || widget.kind === 'area' || widget.kind === 'url' || widget.kind === 'email')
    keep(draft, widget, widget.nullable ? null : '');
  else if (widget.nullable && name !== 'id') keep(draft, widget, null);
}

/** A column has no meaning without the columns that it needs. */
function needs({ problems, said }: Draft, columns: FileColumns): void {
  for (const [name, value] of Object.entries(said)) {
    if (value === '' || value === null || (typeof value === 'string' && FALSE.test(value)) || value === false) continue;
    for (const some of columns.get(name)?.declared?.needs ?? [])
      if (!some.some((one) => said[one] !== undefined && said[one] !== '' && said[one] !== null))
        problems[name] ??= say('importNeeds', { columns: some.join(' / ') });
  }
}

function put(draft: Draft, column: FileColumn, attribute: string | undefined, value: Json, texts: boolean): void {
  const { naming, widget, declared, name } = column;
  if (naming) {
    refer(draft, column, attribute, value, texts);
  } else if (widget) {
    const found = texts ? cellOf(widget, String(value)) : { value: plainOf(value) };
    if ('problem' in found) draft.problems[name] = found.problem;
    else if (column.rows && Array.isArray(found.value))
      draft.body[name] = found.value.map((row) => namedRow(draft, column, row));
    else keep(draft, widget, found.value);
  } else if (declared?.is === 'boolean') {
    const text = String(value);
    if (TRUE.test(text) || FALSE.test(text)) draft.marks[name] = TRUE.test(text);
    else draft.problems[name] = say('importYesNo');
  } else if (declared?.is === 'integer') {
    if (/^\d{1,9}$/.test(String(value))) draft.said = { ...draft.said, [name]: Number(value) };
    else draft.problems[name] = say('importWhole');
  } else if (declared?.is === 'objectType' && !column.choices.some((one) => one.value === value)) {
    draft.problems[name] = say('importTypes', { types: column.choices.map((one) => one.value).join(', ') });
  }
}

function refer(draft: Draft, column: FileColumn, attribute: string | undefined, value: Json, texts: boolean): void {
  const { widget } = column;
  const many = widget?.kind === 'pickers';
  const items = !many ? [value] : texts && typeof value === 'string' ? split(value) : [value].flat();
  if (many && widget) keep(draft, widget, []);
  for (const item of items.map((one) => (texts ? objectIn(one) : one))) {
    if (isDict(item)) draft.named.push({ column, attribute, ...knownOf(item) });
    else if (typeof item === 'string' || typeof item === 'number') {
      const text = String(item).trim();
      if (text) draft.named.push({ column, attribute, ...textOrId(column, attribute, text) });
    } else if (item === null && widget && !many) keep(draft, widget, null);
    else if (item !== null) draft.problems[column.name] = say('importName');
  }
}

/** An export writes an object without a name as JSON into the cell. */
function objectIn(value: Json): Json {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

/** A row of rows: its objects are found by what the export shows of them, as ids may be those of another system. */
function namedRow(draft: Draft, { rows }: FileColumn, said: Json): Json {
  if (!isDict(said)) return said;
  const row: Dict = { ...said };
  for (const { member, ofMember, shown, column } of rows!) {
    const type = ofMember === undefined ? column.naming!.of : row[ofMember];
    const beside = shown === undefined ? undefined : row[shown];
    if (shown !== undefined) delete row[shown];
    const value = row[member];
    if (typeof type !== 'string' || value === undefined || value === null) continue;
    const named: FileColumn = { ...column, naming: { ...column.naming!, of: type } };
    const known = isDict(beside) ? { ...beside, id: value } : isDict(value) ? value : undefined;
    const into = { row, member };
    if (known) draft.named.push({ column: named, ...knownOf(known), into });
    else if (typeof value === 'string') draft.named.push({ column: named, text: value, into });
  }
  return row;
}

/** A number is an id only if the column or the attribute says so. */
function textOrId(
  { naming }: FileColumn,
  attribute: string | undefined,
  text: string,
): { id: number } | { text: string } {
  const byId = attribute === 'id' || (attribute === undefined && naming!.by === 'id');
  return byId && /^\d{1,15}$/.test(text) ? { id: Number(text) } : { text };
}

/** A reference to an object as the API shows it; only the id if nothing else is known. */
function knownOf({ id, ...known }: Dict): Pick<Named, 'id' | 'known'> {
  const said = Object.keys(known).length > 0;
  return { ...(typeof id === 'number' ? { id } : {}), ...(said ? { known } : {}) };
}

/** Stores a value in the body; further values of a list are appended. */
export function keep(draft: Draft, widget: Widget | CustomWidget, value: Json): void {
  if ('custom' in widget) {
    const before = (draft.body['custom_fields'] as Dict | undefined)?.[widget.custom];
    customOf(draft, { [widget.custom]: joined(before, value) });
    return;
  }
  draft.body[widget.name] = joined(draft.body[widget.name], value);
}

const joined = (before: Json | undefined, value: Json): Json =>
  Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
