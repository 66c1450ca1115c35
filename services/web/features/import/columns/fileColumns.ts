import type { Among, Catalogue, ImportColumn, Model } from '@cadastre/model';
import type { Form } from '../../form/schema/formSchema.ts';
import type { CustomWidget } from '../../form/schema/customFieldWidgets.ts';
import { fieldLabel } from '../../../schema/labels.ts';
import type { Offered, Widget } from '../../../schema/widget.ts';
import { lyingIn } from './lyingIn.ts';

/** How the objects that a column names are found. */
interface Naming {
  /** Their type, or, if other columns decide it, the types by column. */
  of: string | Readonly<Record<string, string>> | undefined;
  /** The column that has the type, and the types for its values if these are not types themselves. */
  ofColumn?: string | undefined;
  types?: Readonly<Record<string, string>> | undefined;
  /** The attribute to try first; undefined for the default of the type. */
  by: string | undefined;
  among: Among;
  rather: Among;
}

/** A column that an import page accepts. */
export interface FileColumn {
  name: string;
  label: string;
  help: string | undefined;
  required: boolean;
  choices: readonly Offered[];
  /** The form field that it fills in. */
  widget?: Widget | CustomWidget;
  naming?: Naming;
  /** The members of its rows that name objects. */
  rows?: readonly NamedMember[];
  /** Its declaration, if it does not correspond to a field. */
  declared?: ImportColumn;
  /** The fields for type and id that take the object which the column names. */
  pair?: { typeField: string; idField: string };
}

/** A member of rows that names an object. */
interface NamedMember {
  member: string;
  /** The members that have the object's type, and the object as the API shows it. */
  ofMember: string | undefined;
  shown: string | undefined;
  column: FileColumn;
}

export type FileColumns = ReadonlyMap<string, FileColumn>;

/** What the columns of a model's files depend on. */
export interface Columns {
  form: Form;
  catalogue: Catalogue;
  model: Model;
}

const isReference = ({ kind }: Widget): boolean => kind === 'picker' || kind === 'pickers';

/** All columns of a model's import files, by name: those of its form, and additional ones that the model declares. */
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
      // Custom fields and the ids of pairs hold ids, so a number in them is an id.
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
