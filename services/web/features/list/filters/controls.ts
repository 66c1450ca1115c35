import {
  type Catalogue,
  type Choice,
  type Field,
  type Filter,
  type LookupFamily,
  lookupsOf,
  type Model,
  typeId,
  webPath,
} from '@cadastre/model';
import { choicesShown, fieldLabel, singularLabel } from '../../../schema/labels.ts';

/** How the value of a filter is given. */
export type ControlKind = 'text' | 'number' | 'date' | 'datetime' | 'selects' | 'boolean' | 'pickers';

/** A filter as a user sets it. */
export interface Control {
  /** Name of the parameter, without a lookup. */
  name: string;
  label: string;
  kind: ControlKind;
  /** Suffixes of its lookups; the empty one is the plain filter. */
  lookups: readonly string[];
  choices: readonly Choice[];
  /** The type of the objects that values name, and the attribute that names them unless it is the id. */
  of: string | undefined;
  by: string | undefined;
  /** The field of the model that it filters by, if it is a field. */
  field: string | undefined;
  custom: boolean;
}

type Shape = Pick<Control, 'kind' | 'choices' | 'of' | 'by'>;

const shape = (kind: ControlKind, more: Partial<Shape> = {}): Shape => ({
  kind,
  choices: [],
  of: undefined,
  by: undefined,
  ...more,
});

const BY_FAMILY: Partial<Record<LookupFamily, ControlKind>> = {
  number: 'number',
  decimal: 'number',
  numbers: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  instant: 'datetime',
};

const typesOf = (catalogue: Catalogue, value: (name: string) => string | number): Choice[] =>
  [...catalogue.models.values()].map((one) => ({ value: value(one.name), label: singularLabel(one) }));

function ofColumn(family: LookupFamily, field: Field | undefined, catalogue: Catalogue): Shape {
  if (field?.choices) return shape('selects', { choices: choicesShown(field) });
  if (family === 'objectType' || family === 'objectTypes')
    return shape('selects', { choices: typesOf(catalogue, (name) => name) });
  return shape(BY_FAMILY[family] ?? 'text');
}

/** Pickers offer only types that have pages, and name objects by their ids. */
function ofObjects(type: string | undefined, by: string | undefined, catalogue: Catalogue): Shape {
  const target = type === undefined ? undefined : catalogue.models.get(type);
  const picked = target && webPath(target) !== undefined && (by === undefined || by === 'id');
  return shape(picked ? 'pickers' : 'text', { of: target?.name, by: by === 'id' ? undefined : by });
}

/** The input for a filter; undefined for filters that only programs and bookmarks use. */
export function shapeOf(filter: Filter, model: Model, catalogue: Catalogue): Shape | undefined {
  switch (filter.kind) {
    case 'column':
      return ofColumn(filter.family, model.fields[filter.field], catalogue);
    case 'through': {
      const end = catalogue.steps(model, filter.path)?.at(-1)?.to;
      return ofColumn(
        filter.family,
        end === undefined ? undefined : catalogue.models.get(end)?.fields[filter.field],
        catalogue,
      );
    }
    case 'related':
      return ofObjects(catalogue.steps(model, filter.path)?.at(-1)?.to, filter.by, catalogue);
    case 'objects':
      return ofObjects(filter.type, filter.by, catalogue);
    case 'tag':
      return ofObjects('extras.tag', filter.by, catalogue);
    case 'typeId':
      return shape('selects', { choices: typesOf(catalogue, (name) => typeId(name)) });
    case 'either':
      return shapeOf(filter.of[0]!, model, catalogue);
    case 'method':
      return shape(filter.value === 'boolean' ? 'boolean' : filter.value === 'number' ? 'number' : 'text');
    case 'request':
      return shape('text');
    case 'search':
    case 'keyed':
      return undefined;
  }
}

/** The label of a filter: `site_id` and `site` are both labelled "Site". */
export const filterLabel = (name: string): string => fieldLabel(name.replace(/_id$/, ''));

/** All filters of a list, as a user sets them; of two filters for the same relation, the one with a picker. */
export function controlsOf(model: Model, catalogue: Catalogue): Control[] {
  const filters = catalogue.filtersOf(model);
  const names = Object.keys(filters);
  return names.flatMap((name): Control[] => {
    const filter = filters[name]!;
    const found = shapeOf(filter, model, catalogue);
    const lookup = name.lastIndexOf('__');
    if (!found || (lookup > 0 && name.slice(0, lookup) in filters)) return [];
    // The filter by id has a picker, so the filter by name is left out.
    if (`${name}_id` in filters && shapeOf(filters[`${name}_id`]!, model, catalogue)?.kind === 'pickers') return [];
    const spelled = names.flatMap((one) => (one.startsWith(`${name}__`) ? [one.slice(name.length + 2)] : []));
    const field = fieldOf(name, filter, model);
    return [
      {
        name,
        label: filterLabel(name),
        ...found,
        lookups: [...Object.keys(lookupsOf(filter)), ...spelled],
        field,
        custom: false,
      },
    ];
  });
}

function fieldOf(name: string, filter: Filter, model: Model): string | undefined {
  if (filter.kind === 'tag') return 'tags';
  if (filter.kind === 'related' && filter.path.length === 1 && filter.path[0]! in model.fields) return filter.path[0];
  const bare = name.replace(/_id$/, '');
  return bare in model.fields ? bare : undefined;
}
