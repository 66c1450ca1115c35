import { type Catalogue, type Field, isDict, type Model } from '@cadastre/model';
import { fieldLabel, titleLabel } from './labels.ts';
import type { Kind, Widget } from './widget.ts';
import type { Rows } from './widget.ts';

type MadeOf = (name: string, field: Field, catalogue: Catalogue) => Widget;
type Pairs = (model: Model, catalogue: Catalogue) => Map<string, Partial<Widget>>;

const plain = (name: string, kind: Kind, more: Partial<Widget> = {}): Widget => ({
  name,
  label: fieldLabel(name),
  kind,
  required: false,
  nullable: false,
  help: undefined,
  choices: [],
  of: undefined,
  numbers: false,
  max: undefined,
  ...more,
});

const HELP = '_in';

/**
 * The container of most of the objects that rows may name, such as the device of ports: users choose it first to find
 * the object.
 */
function helper(catalogue: Catalogue, types: readonly string[]): Widget | undefined {
  const owners = new Map<string, number>();
  for (const type of types) {
    const model = catalogue.models.get(type);
    const name = [model?.belongsTo ?? []].flat()[0];
    if (name !== undefined && model?.fields[name]?.relation) owners.set(name, (owners.get(name) ?? 0) + 1);
  }
  const [name] = [...owners].filter(([, count]) => count > types.length / 2).map(([one]) => one);
  const first = types.map((type) => catalogue.models.get(type)?.fields[name ?? '']).find((one) => one);
  const of = first?.relation?.to;
  return name === undefined || of === undefined
    ? undefined
    : plain(HELP, 'picker', { label: fieldLabel(name), of, shownBy: name });
}

/** The columns of a field whose rows are objects of another model. */
function ownedRows(
  { from, members }: NonNullable<Field['owned']>,
  catalogue: Catalogue,
  made: MadeOf,
  pairs: Pairs,
): Rows {
  const paired = pairs(from, catalogue);
  const nameOf = new Map(Object.entries(members).map(([wire, name]) => [name, wire]));
  const wire = (name: string | undefined): string | undefined => (name === undefined ? undefined : nameOf.get(name));
  let help: Widget | undefined;
  const columns = Object.entries(members).flatMap(([said, name]): Widget[] => {
    const field = from.fields[name]!;
    if (field.generic) return [];
    const pair = paired.get(name);
    const preset = typeof field.default === 'function' ? undefined : (field.default ?? undefined);
    const one: Widget = {
      ...made(name, field, catalogue),
      ...pair,
      ...(preset === undefined ? {} : { initial: preset }),
      name: said,
      label: fieldLabel(said),
    };
    if (!pair?.ofField) return [one];
    const generic = Object.values(from.fields).find((other) => other.generic?.idField === name)!.generic!;
    help = helper(catalogue, generic.to ?? []);
    const filter = help && `${help.shownBy}_id`;
    const picker: Widget = {
      ...one,
      label: fieldLabel(wire(pair.shownBy) ?? said),
      ofField: wire(pair.ofField)!,
      shownBy: wire(pair.shownBy)!,
      ...(filter ? { narrowed: { [filter]: HELP } } : {}),
    };
    return help ? [help, picker] : [picker];
  });
  return { as: 'dictionaries', columns, ...(help ? { helps: HELP } : {}) };
}

const enumIn = (schema: unknown): string[] =>
  isDict(schema as never) ? ((schema as { enum?: string[] }).enum ?? []) : [];

/** The rows of a field that holds some; undefined for all others. */
export function rowsOf(field: Field, catalogue: Catalogue, made: MadeOf, pairs: Pairs): Rows | undefined {
  if (field.owned) return ownedRows(field.owned, catalogue, made, pairs);
  switch (field.kind) {
    case 'choicePairs':
      return { as: 'lists', columns: [plain('value', 'text', { max: 100 }), plain('label', 'text', { max: 100 })] };
    case 'colorsByChoice': {
      const colors = enumIn((field.schema.write as { additionalProperties?: unknown }).additionalProperties);
      const choices = colors.map((value) => ({ value, label: titleLabel(value) }));
      return {
        as: 'dictionary',
        columns: [plain('value', 'text', { max: 100 }), plain('color', 'select', { choices })],
      };
    }
    case 'sealedTexts':
      return { as: 'secrets', columns: [plain('name', 'text', { max: 100 }), plain('value', 'secret')] };
    default:
      return undefined;
  }
}
