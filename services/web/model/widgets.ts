import type { Catalogue, Choice, Field, Model } from '@cadastre/model';
import { fieldLabel } from './labels.ts';
import { isLong, writtenFields } from './members.ts';

/** How a field is filled in. */
export type Kind =
  | 'text'
  | 'area'
  | 'number'
  | 'checkbox'
  | 'select'
  | 'selects'
  | 'picker'
  | 'pickers'
  | 'date'
  | 'datetime'
  | 'color'
  | 'json'
  | 'list'
  | 'file'
  | 'secret'
  | 'url'
  | 'email';

export interface Widget {
  name: string;
  label: string;
  kind: Kind;
  required: boolean;
  nullable: boolean;
  help: string | undefined;
  choices: readonly Choice[];
  /** The type of the objects that a picker offers. */
  of: string | undefined;
  /** Whether the items of a list are numbers. */
  numbers: boolean;
  /** Longest text, in characters. */
  max: number | undefined;
}

const maxOf = (field: Field): number | undefined => {
  const found = /^varchar\((\d+)\)$/.exec(field.column?.type ?? '');
  return found ? Number(found[1]) : undefined;
};

function kindOf(name: string, field: Field, catalogue: Catalogue): Kind {
  const { relation, kind } = field;
  if (relation && catalogue.has(relation.to)) return relation.many ? 'pickers' : 'picker';
  if (field.sealed === 'text' || field.secret) return 'secret';
  if (kind === 'objectType') return 'select';
  if (kind === 'objectTypes') return 'selects';
  if (field.choices) return kind === 'list' ? 'selects' : 'select';
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
    case 'owned':
    case 'sealedTexts':
    case 'colorsByChoice':
    case 'choicePairs':
    case 'assignments':
      return 'json';
    default:
      return isLong([name, field]) ? 'area' : 'text';
  }
}

const YES_NO: readonly Choice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

export function widgetOf(name: string, field: Field, catalogue: Catalogue): Widget {
  const kind = kindOf(name, field, catalogue);
  const types = field.kind === 'objectType' || field.kind === 'objectTypes';
  const items = (field.schema.write as { items?: { type?: unknown } }).items;
  return {
    name,
    label: fieldLabel(name),
    kind,
    required: field.required,
    nullable: field.nullable,
    help: field.help,
    choices: types
      ? [...catalogue.models.values()].map((one) => ({ value: one.name, label: fieldLabel(one.label) }))
      : field.kind === 'boolean'
        ? YES_NO
        : (field.choices ?? []),
    of: field.relation?.to,
    numbers: items?.type === 'integer' || items?.type === 'number',
    max: maxOf(field),
  };
}

const known = new WeakMap<Model, Widget[]>();

/** The widgets of a model's form, in the order of its fields. */
export function widgetsOf(model: Model, catalogue: Catalogue): Widget[] {
  let widgets = known.get(model);
  if (!widgets)
    known.set(model, (widgets = writtenFields(model).map(([name, field]) => widgetOf(name, field, catalogue))));
  return widgets;
}
