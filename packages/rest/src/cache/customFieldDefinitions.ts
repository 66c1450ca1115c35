import { arrayItems, type Cell, fullMoment, type Json } from '@cadastre/model';
import type { Cache } from './cache.ts';
import { type Executor, rowsOf } from '../db/sql.ts';
import type { Tables } from '../db/tables.ts';

/** A custom field as it acts on objects. */
export interface CustomField {
  name: string;
  label: string;
  type: string;
  relatedType: string | null;
  required: boolean;
  unique: boolean;
  default: Json;
  filterLogic: string;
  /** Whether the search over everything looks into it. */
  searched: boolean;
  minimum: number | null;
  maximum: number | null;
  regex: string;
  schema: Json;
  choiceSet: { name: string; values: Set<string> } | null;
}

/** The choices of a set that comes with the product. */
export type BaseChoices = (set: string) => readonly (readonly [value: string, label: string])[] | undefined;

/** The custom fields of each type of object, in the order in which they are shown. */
export class CustomFieldDefinitions {
  readonly #byType: Map<string, CustomField[]>;
  constructor(byType: Map<string, CustomField[]>) {
    this.#byType = byType;
  }
  of(type: string): readonly CustomField[] {
    return this.#byType.get(type) ?? NONE;
  }
}

const NONE: readonly CustomField[] = [];
export const NO_DEFINITIONS = new CustomFieldDefinitions(new Map());

const COLUMNS = `f.object_types, f.name, f.label, f.type, f.related_object_type, f.required, f."unique", f."default", f.filter_logic, f.validation_minimum, f.validation_maximum,
  f.validation_regex, f.validation_schema, s.name, s.base_choices, s.extra_choices, f.search_weight`;

/**
 * `fresh`: not from the cache. `keep: false`: not cached, as a transaction that has written sees what is not committed.
 */
export interface Use {
  fresh?: boolean;
  keep?: boolean;
}

/** The definitions as they are now; remembered until one changes. */
export async function customFieldDefinitions(
  tables: Tables,
  cache: Cache,
  executor: Executor,
  baseChoices: BaseChoices,
  use: Use = {},
): Promise<CustomFieldDefinitions> {
  if (!tables.catalogue.has('extras.customfield') || !tables.has('extras.customfield')) return NO_DEFINITIONS;
  const region = cache.region<CustomFieldDefinitions>('custom field definitions', [
    'extras.customfield',
    'extras.customfieldchoiceset',
  ]);
  const known = use.fresh ? undefined : region.get('');
  if (known) return known;
  const loaded = await region.fill(
    async () => {
      const rows = await rowsOf(executor, {
        text: `select ${COLUMNS} from ${tables.nameOf('extras.customfield')} f left join ${tables.nameOf('extras.customfieldchoiceset')} s on s.id = f.choice_set_id order by f.group_name, f.weight, f.name`,
        values: [],
      });
      return new Map([['', byType(rows, baseChoices)]]);
    },
    () => use.keep ?? true,
  );
  return loaded.get('')!;
}

function byType(rows: Cell[][], baseChoices: BaseChoices): CustomFieldDefinitions {
  const types = new Map<string, CustomField[]>();
  for (const [
    objectTypes,
    name,
    label,
    type,
    relatedType,
    required,
    unique,
    byDefault,
    filterLogic,
    minimum,
    maximum,
    regex,
    schema,
    setName,
    base,
    extra,
    weight,
  ] of rows) {
    const field: CustomField = {
      name: name!,
      label: label ?? '',
      type: type!,
      relatedType: relatedType ?? null,
      required: required === 't',
      unique: unique === 't',
      default: parsed(byDefault ?? null),
      filterLogic: filterLogic ?? 'loose',
      searched: Number(weight ?? 0) > 0,
      minimum: minimum == null ? null : Number(minimum),
      maximum: maximum == null ? null : Number(maximum),
      regex: regex ?? '',
      schema: parsed(schema ?? null),
      choiceSet:
        setName == null
          ? null
          : {
              name: setName,
              values: new Set([
                ...(base ? (baseChoices(base) ?? []) : []).map(([value]) => value),
                ...extraValues(extra ?? null),
              ]),
            },
    };
    for (const objectType of arrayItems(objectTypes ?? '{}'))
      types.set(objectType, [...(types.get(objectType) ?? []), field]);
  }
  return new CustomFieldDefinitions(types);
}

const parsed = (cell: Cell): Json => (cell === null ? null : (JSON.parse(cell) as Json));
const extraValues = (cell: Cell): string[] => ((parsed(cell) ?? []) as [string, string][]).map(([value]) => value);

/** A field may be called `constructor`, which every object inherits. */
const givenTo = (values: Record<string, Json>, { name }: CustomField): Json =>
  Object.hasOwn(values, name) ? values[name]! : null;

/** What custom fields show of other objects. */
export interface CustomFieldSurroundings {
  /** JSON text of an object; `null` when it is not there. */
  brief(type: string, id: string): string;
  /** The ids of several, in the order that lists of their type have. */
  inOrder(type: string, ids: readonly string[]): readonly string[];
}

/** JSON text of an object's custom field values: one member for each field that its type has. */
export function printCustomFields(
  fields: readonly CustomField[],
  cell: Cell,
  { brief, inOrder }: CustomFieldSurroundings,
): string {
  if (!fields.length) return '{}';
  const values = (cell === null ? {} : JSON.parse(cell)) as Record<string, Json>;
  const printed = fields.map((field) => {
    const value = givenTo(values, field);
    const shown =
      value === null || !field.relatedType
        ? JSON.stringify(field.type === 'datetime' && typeof value === 'string' ? (fullMoment(value) ?? value) : value)
        : Array.isArray(value)
          ? `[${inOrder(field.relatedType, value.map(String))
              .map((id) => brief(field.relatedType!, id))
              .filter((t) => t !== 'null')
              .join(',')}]`
          : brief(field.relatedType, String(value));
    return `${JSON.stringify(field.name)}:${shown}`;
  });
  return `{${printed.join(',')}}`;
}

/** The objects that custom field values of type object name: by field, their type and ids. */
export function relatedInCustomFields(fields: readonly CustomField[], cell: string): [type: string, ids: string[]][] {
  const relating = fields.filter((f) => f.relatedType);
  if (!relating.length) return [];
  const values = JSON.parse(cell) as Record<string, Json>;
  return relating.flatMap((f) => {
    const value = givenTo(values, f);
    return value === null ? [] : [[f.relatedType!, (Array.isArray(value) ? value : [value]).map(String)]];
  });
}
