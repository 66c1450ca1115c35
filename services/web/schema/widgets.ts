import { type Catalogue, type Choice, type Field, type Json, type Model, webPath } from '@cadastre/model';
import { perLanguage, spoken } from '../ui/texts/speaking.ts';
import { appLabel, choiceLabel, fieldLabel, helpText, singularLabel, titleLabel } from './labels.ts';
import { isLong, formFields } from './members.ts';
import { narrowings } from './narrowing.ts';
import { rowsOf } from './rowSchema.ts';
import type { Rows } from './widget.ts';
import type { Check, Kind, Offered, Widget } from './widget.ts';

const maxOf = (field: Field): number | undefined => {
  const found = /^varchar\((\d+)\)$/.exec(field.column?.type ?? '');
  return found ? Number(found[1]) : undefined;
};

const CHECKS: Readonly<Record<string, Check>> = { inet: 'address', cidr: 'prefix', macaddr: 'mac' };

function kindOf(name: string, field: Field, catalogue: Catalogue): Kind {
  const { relation, kind } = field;
  if (relation && catalogue.has(relation.to)) return relation.many ? 'pickers' : 'picker';
  if (field.reverse?.as === 'list' && !field.owned) return 'pickers';
  if (field.sealed === 'text' || field.secret) return 'secret';
  if (kind === 'objectType') return 'select';
  if (kind === 'objectTypes') return 'selects';
  if (field.choices) return kind === 'list' ? 'selects' : 'select';
  if (field.offers) return 'checks';
  switch (kind) {
    case 'boolean':
      return field.nullable ? 'select' : 'checkbox';
    case 'integer':
    case 'decimal':
    case 'id':
      return 'number';
    case 'date':
    case 'datetime':
    case 'color':
    case 'url':
    case 'email':
      return kind;
    case 'image':
      return 'file';
    case 'json':
    case 'list':
      return kind;
    default:
      return isLong([name, field]) ? 'area' : 'text';
  }
}

/** The choices for a boolean. */
export const yesNo = (): readonly Choice[] => [
  { value: 'true', label: spoken().texts('yes') },
  { value: 'false', label: spoken().texts('no') },
];

function typeChoices(catalogue: Catalogue, names: readonly string[] = [...catalogue.models.keys()]): Offered[] {
  const models = names.flatMap((name) => {
    const model = catalogue.models.get(name);
    return model && webPath(model) ? [model] : [];
  });
  const labels = models.map(singularLabel);
  return models.map(({ name, app }, i) => {
    const label = labels[i]!;
    // Types of different apps can have the same label: devices and virtual machines both have interfaces.
    const several = labels.filter((other) => other === label).length > 1;
    const group = appLabel(app);
    return { value: name, label: several ? `${label} (${group})` : label, group };
  });
}

function choicesOf(field: Field, types: boolean, catalogue: Catalogue): readonly Offered[] {
  if (types) return typeChoices(catalogue);
  if (field.kind === 'boolean') return yesNo();
  const declared = field.choices?.map((one) => ({ ...one, label: choiceLabel(one.label), declared: one.label }));
  return declared ?? field.offers?.map((value) => ({ value, label: titleLabel(fieldLabel(value)) })) ?? [];
}

function widgetOf(name: string, field: Field, catalogue: Catalogue): Widget {
  const rows = rowsOf(field, catalogue, widgetOf, pairs);
  const kind = rows ? 'rows' : kindOf(name, field, catalogue);
  const types = field.kind === 'objectType' || field.kind === 'objectTypes';
  const items = (field.schema.write as { items?: { type?: unknown } }).items;
  const check = CHECKS[field.column?.type ?? ''];
  return {
    name,
    label: fieldLabel(name),
    kind,
    required: field.required,
    nullable: field.nullable,
    help: helpText(field.help),
    choices: choicesOf(field, types, catalogue),
    of: field.relation?.to ?? (field.reverse?.as === 'list' && !field.owned ? field.reverse.from : undefined),
    numbers: items?.type === 'integer' || items?.type === 'number',
    ranges: items?.type === 'array' && field.kind === 'list',
    max: maxOf(field),
    ...(check ? { check } : {}),
    ...(rows ? { rows } : {}),
  };
}

/** The two fields of a generic relation: a choice of the type, and a picker for objects of that type. */
function pairs(model: Model, catalogue: Catalogue): Map<string, Partial<Widget>> {
  const found = new Map<string, Partial<Widget>>();
  for (const [name, { generic }] of Object.entries(model.fields)) {
    if (!generic) continue;
    found.set(generic.typeField, { choices: typeChoices(catalogue, generic.to) });
    found.set(generic.idField, { kind: 'picker', ofField: generic.typeField, shownBy: name, label: fieldLabel(name) });
  }
  return found;
}

/** The field from which slugs are derived. */
const sourceOf = (model: Model): string | undefined =>
  model.display.columns.find((name) => model.fields[name]?.kind === 'text') ??
  ['name', 'model'].find((name) => name in model.fields);

const known = perLanguage(() => new WeakMap<Model, Widget[]>());

/** The widgets of a model's form, in the order of its fields. */
export function widgetsOf(model: Model, catalogue: Catalogue): Widget[] {
  let widgets = known().get(model);
  if (widgets) return widgets;
  const generic = pairs(model, catalogue);
  const source = sourceOf(model);
  const plain = formFields(model, catalogue).map(
    ([name, field]): Widget => ({
      ...widgetOf(name, field, catalogue),
      ...generic.get(name),
      ...(field.kind === 'slug' && source ? { from: source } : {}),
      ...(model.forms?.twice?.includes(name) ? { twice: true } : {}),
      ...(model.forms?.told?.[name] ? { told: model.forms.told[name] } : {}),
    }),
  );
  widgets = plain.map((one) => {
    if (one.rows) return { ...one, rows: narrowedRows(one.rows, plain, catalogue) };
    const narrowed = { ...narrowings(one, plain, catalogue), ...model.forms?.narrowed?.[one.name] };
    return Object.keys(narrowed).length ? { ...one, narrowed } : one;
  });
  known().set(model, widgets);
  return widgets;
}

/** The pickers in rows are narrowed by each other, and by those of the surrounding form. */
const narrowedRows = (rows: Rows, form: readonly Widget[], catalogue: Catalogue): Rows => ({
  ...rows,
  columns: rows.columns.map((one) => {
    const narrowed = { ...narrowings(one, [...rows.columns, ...form], catalogue), ...one.narrowed };
    return Object.keys(narrowed).length ? { ...one, narrowed } : one;
  }),
});

/** The default of a field, if it is constant. */
export const defaultsOf = (model: Model): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(model.fields).flatMap(([name, field]) =>
      field.default === undefined || typeof field.default === 'function' ? [] : [[name, field.default]],
    ),
  );
