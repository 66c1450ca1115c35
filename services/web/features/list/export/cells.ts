import { type Catalogue, type Dict, isDict, type Json, type Model } from '@cadastre/model';
import { calledBy } from '../../import/columns/called.ts';
import type { FileColumn, FileColumns } from '../../import/columns/fileColumns.ts';
import type { Shown } from '../../../context/pageRequest.ts';

/** The contents of table cells, in the form that the import page of the same list accepts. */
export interface Cells {
  /** Additional columns for the places of other objects, and the columns that they replace. */
  more: readonly string[];
  less: ReadonlySet<string>;
  text(name: string, object: Shown): string | undefined;
}

export function cellsOf(columns: FileColumns, model: Model, catalogue: Catalogue): Cells {
  const found = new Map([...placesIn(columns, model)]);
  return {
    more: [...found.keys()],
    less: new Set(
      [...columns.values()].flatMap(({ declared }) => (isByColumn(declared?.of) ? [declared!.fills!] : [])),
    ),
    text(name, object) {
      const place = found.get(name);
      if (place) {
        const { value, type } = place(object);
        return called(value, columns.get(name), type, catalogue);
      }
      return cell(object, name, columns.get(name), catalogue);
    },
  };
}

type Place = (object: Shown) => { value: Json | undefined; type: string | undefined };

const isByColumn = (of: unknown): of is Readonly<Record<string, string>> => isDict(of as Json);

/**
 * Values for the declared columns of an import: for example an object's interface and that interface's device, in the
 * columns for its type.
 */
function* placesIn(columns: FileColumns, model: Model): Generator<[string, Place]> {
  const split = new Set<string>();
  for (const { name, declared } of columns.values()) {
    const { of, fills, from } = declared ?? {};
    if (from !== undefined) {
      yield [
        name,
        (object) => ({ value: (object[from] as Dict | null)?.[name], type: typeof of === 'string' ? of : undefined }),
      ];
    }
    if (!isByColumn(of) || fills === undefined) continue;
    split.add(fills);
    const { typeField } = model.fields[fills]!.generic!;
    const types = Object.entries(of);
    const held = (object: Shown, type: string | undefined) => (object[typeField] === type ? object[fills] : undefined);
    for (const [place, type] of types)
      yield [
        place,
        (object) => ({
          value: (held(object, type) as Dict | null | undefined)?.[place],
          type: String(columns.get(place)?.declared?.of),
        }),
      ];
    yield [
      name,
      (object) => {
        const type = types.map(([, one]) => one).find((one) => one === object[typeField]);
        return { value: type && held(object, type), type };
      },
    ];
  }
  for (const { name, declared } of columns.values()) {
    const { of, fills } = declared ?? {};
    if (typeof of !== 'string' || fills === undefined || !split.has(fills)) continue;
    const { typeField } = model.fields[fills]!.generic!;
    yield [name, (object) => ({ value: object[typeField] === of ? object[fills] : undefined, type: of })];
  }
}

/** Undefined for values that the table formats itself. */
function cell(object: Shown, name: string, column: FileColumn | undefined, catalogue: Catalogue): string | undefined {
  const custom = column?.widget && 'custom' in column.widget ? column.widget.custom : undefined;
  const value = custom === undefined ? object[name] : (object['custom_fields'] as Dict | undefined)?.[custom];
  if (value === null || value === undefined) return undefined;
  const { widget, naming, pair } = column ?? {};
  if (widget && (widget.kind === 'rows' || widget.kind === 'json')) return JSON.stringify(value);
  if (widget?.ranges && Array.isArray(value)) return value.map((one) => [one].flat().join('-')).join(',');
  if (!naming || widget?.ofField) return undefined;
  const type = typeof naming.of === 'string' ? naming.of : String(object[pair?.typeField ?? ''] ?? '');

  return Array.isArray(value)
    ? value.map((one) => quoted(called(one, column, type, catalogue))).join(',')
    : called(value, column, type, catalogue);
}

/** An object by the attribute by which an import finds it first. */
function called(
  value: Json | undefined,
  column: FileColumn | undefined,
  type: string | undefined,
  catalogue: Catalogue,
): string {
  if (value === null || value === undefined) return '';
  if (!isDict(value)) return String(value);
  const model = catalogue.models.get(type ?? '');
  const { by } = column?.naming ?? {};
  const ways = [by === 'id' ? undefined : by, model && calledBy(model, catalogue), 'name', 'slug'];
  for (const way of ways) {
    const said = way === undefined ? undefined : value[way];
    const plain = isDict(said) && 'value' in said ? said['value'] : said;
    if (typeof plain === 'string' || typeof plain === 'number') if (plain !== '') return String(plain);
  }
  // An object without a name is identified by its id, together with the display name as a check.
  return JSON.stringify({ id: value['id'] ?? null, display: value['display'] ?? null });
}

/** Commas separate items, so a text that contains one is quoted. */
export const quoted = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
