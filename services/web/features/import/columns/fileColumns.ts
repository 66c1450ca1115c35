import type { Among, Catalogue, ImportColumn, Model } from '@cadastre/model';
import type { Form } from '../../form/schema/formSchema.ts';
import type { CustomWidget } from '../../form/schema/customFieldWidgets.ts';
import { fieldLabel } from '../../../schema/labels.ts';
import type { Offered, Widget } from '../../../schema/widget.ts';
import { lyingIn } from './lyingIn.ts';

/** How a column finds the objects that it names. */
interface Naming {
  /** Their type, or the types that they may have, by the column that is filled. */
  of: string | Readonly<Record<string, string>> | undefined;
  /** The column that says their type, and what its values stand for where they are no types. */
  ofColumn?: string | undefined;
  types?: Readonly<Record<string, string>> | undefined;
  /** The attribute that is looked at first; the one of the type otherwise. */
  by: string | undefined;
  among: Among;
  rather: Among;
}

/** A column that an import page takes. */
export interface FileColumn {
  name: string;
  label: string;
  help: string | undefined;
  required: boolean;
  choices: readonly Offered[];
  /** The field that it fills in, as a form has it. */
  widget?: Widget | CustomWidget;
  naming?: Naming;
  /** The objects that its rows name. */
  rows?: readonly NamedMember[];
  /** Its declaration, where it is not a field. */
  declared?: ImportColumn;
  /** The fields of a type and an id that an object which it names is put into. */
  pair?: { typeField: string; idField: string };
}

/** A member of rows that names an object. */
interface NamedMember {
  member: string;
  /** The members that say its type, and what it is shown as. */
  ofMember: string | undefined;
  shown: string | undefined;
  column: FileColumn;
}

export type FileColumns = ReadonlyMap<string, FileColumn>;

/** What a file of a model may have columns for. */
export interface Columns {
  form: Form;
  catalogue: Catalogue;
  model: Model;
}

const isReference = ({ kind }: Widget): boolean => kind === 'picker' || kind === 'pickers';

/** All columns of a model's files for import, by name: those of its form, and those that are declared besides. */
export function fileColumns(form: Form, model: Model, catalogue: Catalogue): FileColumns {
  const widgets = [...form.own, ...(form.tags ? [form.tags] : []), ...form.custom];
  const declared = Object.entries(model.imports?.columns ?? {});
  const others = [
    ...form.own.flatMap(({ kind, of, name }) => (kind === 'picker' && of !== undefined ? [{ name, of }] : [])),
    ...declared.flatMap(([name, { is, of }]) => (is === 'object' && typeof of === 'string' ? [{ name, of }] : [])),
  ];
  const within = (types: readonly string[], name: string): Among => lyingIn(types, name, others, catalogue);
  const columns = new Map<string, FileColumn>();
  for (const widget of widgets) columns.set(widget.name, ofWidget(widget, model, within));
  for (const [name, { generic }] of Object.entries(model.fields))
    if (generic && columns.has(generic.typeField) && !columns.has(name))
      columns.set(name, ofDeclared(name, { is: 'object', fills: name }, model, within));
  for (const [name, column] of declared) {
    const widget = columns.get(column.field ?? '')?.widget;
    columns.set(name, widget ? { ...ofWidget(widget, model, within), name } : ofDeclared(name, column, model, within));
  }
  return columns;
}

type Within = (types: readonly string[], name: string) => Among;

function ofWidget(widget: Widget | CustomWidget, model: Model, within: Within): FileColumn {
  const { name, label, help, required, choices, of, ofField } = widget;
  const column: FileColumn = { name, label, help, required, choices, widget };
  if (widget.rows?.as === 'dictionaries') return { ...column, rows: membersOf(widget, within) };
  if (!isReference(widget)) return column;
  const { by = {}, among = {}, rather = {} } = model.imports ?? {};
  return {
    ...column,
    naming: {
      of,
      ofColumn: ofField,
      // A field of a custom field, and the id of a pair, hold ids: a number there is one.
      by: by[name] ?? ('custom' in widget || ofField ? 'id' : undefined),
      among: among[name] ?? within(of === undefined ? [] : [of], name),
      rather: rather[name] ?? {},
    },
  };
}

const membersOf = ({ rows, ...widget }: Widget, within: Within): NamedMember[] =>
  rows!.columns
    .filter(({ kind, name }) => kind === 'picker' && name !== rows!.helps)
    .map(({ name, label, of, ofField, shownBy }) => ({
      member: name,
      ofMember: ofField,
      shown: shownBy,
      column: {
        name: widget.name,
        label: `${widget.label}: ${label}`,
        help: undefined,
        required: false,
        choices: [],
        naming: { of, by: undefined, among: within(of === undefined ? [] : [of], name), rather: {} },
      },
    }));

function ofDeclared(name: string, declared: ImportColumn, model: Model, within: Within): FileColumn {
  const { is, of, by, among, fills } = declared;
  const pair = fills === undefined ? undefined : model.fields[fills]?.generic;
  const column: FileColumn = {
    name,
    label: fieldLabel(name),
    help: undefined,
    required: false,
    choices:
      is === 'objectType' ? [of ?? []].flat().map((value) => ({ value: String(value), label: String(value) })) : [],
    declared,
    ...(pair ? { pair: { typeField: pair.typeField, idField: pair.idField } } : {}),
  };
  if (is !== 'object') return column;
  const types = Array.isArray(of) ? undefined : (of as Naming['of']);
  const { ofValue } = declared;
  return {
    ...column,
    naming: {
      of: types,
      ofColumn: types === undefined ? (ofValue?.column ?? declared.ofColumn ?? pair?.typeField) : undefined,
      types: ofValue?.types,
      by,
      among: among ?? within(typeof types === 'string' ? [types] : (pair?.to ?? []), name),
      rather: {},
    },
  };
}
