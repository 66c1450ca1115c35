import type { Choice, LookupFamily, Schema } from '../../types/column.ts';
import { type Json, typeName } from '../../types/json.ts';
import type { Common, Field } from '../../types/model.ts';
import { type FieldErrors, fails, type ParseContext, type Parsed } from '../../types/parsing.ts';
import { both } from './text.ts';

export interface ListOptions extends Common {
  /** Element type of the array column. */
  element: string;
  /** Parses one item to the value that is stored. */
  item: (value: Json, context: ParseContext) => Parsed;
  /** JSON text of one stored item. */
  print?: (item: string) => string;
  allowEmpty?: boolean;
  sorted?: boolean;
  lookups?: LookupFamily | null;
  /** As in `Column`. */
  atOnce?: true;
  child?: Record<string, unknown>;
  itemSchema?: Schema;
  default?: Json[];
  metadataType?: string;
  nullable?: boolean;
  /** Values that forms offer; others can be given all the same. */
  offers?: readonly string[];
}

/** The items of an array of PostgreSQL in text form (`{a,"b c",NULL}`), one level deep. */
export function arrayItems(cell: string): string[] {
  if (cell === '{}') return [];
  if (!cell.includes('"')) return cell.slice(1, -1).split(',');
  const items: string[] = [];
  const pattern = /"((?:[^"\\]|\\.)*)"|([^,{}]+)/g;
  for (const m of cell.matchAll(pattern)) items.push(m[1] === undefined ? m[2]! : m[1].replace(/\\(.)/g, '$1'));
  return items;
}

/** A list of plain values in an array column. Shape: array. */
export function list(o: ListOptions): Field {
  const required = !o.optional && o.default === undefined && !o.readOnly;
  const printItem = o.print ?? JSON.stringify;
  return {
    kind: 'list',
    column: {
      type: `${o.element}[]`,
      nullable: o.nullable ?? false,
      ...(o.nullable ? {} : { default: "'{}'" }),
      index: o.lookups ? 'gin' : false,
      ...(o.atOnce ? { atOnce: true } : {}),
    },
    required,
    nullable: o.nullable ?? false,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: o.default ?? (o.nullable ? null : []),
    print: (cell) =>
      cell === null
        ? o.nullable
          ? 'null'
          : '[]'
        : `[${arrayItems(cell)
            .map((item) => printItem(item))
            .join(',')}]`,
    parse: (value, context) => parseList(o, value, context),
    lookups: o.lookups ?? null,
    metadata: () => ({
      type: o.metadataType ?? 'list',
      required,
      read_only: o.readOnly ?? false,
      ...(o.child ? { child: o.child } : {}),
    }),
    schema: both({ type: 'array', items: o.itemSchema ?? {} }, o.nullable),
    ...(o.hidden ? { hidden: true } : {}),
    ...(o.offers ? { offers: o.offers } : {}),
  };
}

function parseList(o: ListOptions, value: Json, context: ParseContext): Parsed {
  if (!Array.isArray(value)) return fails(`Expected a list of items but got type "${typeName(value)}".`);
  if (!value.length && o.allowEmpty === false) return fails('This list may not be empty.');
  const errors: { [index: string]: FieldErrors } = {};
  const items: Json[] = [];
  value.forEach((given, index) => {
    const parsed = given === null ? fails('This field may not be null.') : o.item(given, context);
    if ('errors' in parsed) errors[index] = parsed.errors;
    else if ('value' in parsed) items.push(parsed.value);
  });
  if (Object.keys(errors).length) return { errors };
  const unique = [...new Set(items)];
  return { value: o.sorted ? unique.sort() : items };
}

/** Several of a set of choices. Shape: array of values. */
export function choiceList(offered: Choice[], o: Common & { default?: Json[]; allowEmpty?: boolean } = {}): Field {
  return list({
    ...o,
    element: 'varchar(50)',
    lookups: o.filter === false ? null : 'strings',
    item: (value) =>
      offered.some((c) => c.value === value)
        ? { value }
        : fails(`"${typeof value === 'string' ? value : JSON.stringify(value)}" is not a valid choice.`),
    itemSchema: { type: 'string', enum: offered.map((c) => c.value) },
    child: {
      type: 'choice',
      required: true,
      read_only: false,
      choices: offered.map((c) => ({ value: c.value, display_name: c.label })),
    },
  });
}

const BAD_TYPE = "Invalid value. Specify a content type as '<app_label>.<model_name>'.";

function objectTypeItem(value: Json, context: ParseContext): Parsed {
  if (typeof value !== 'string' || !/^[a-z_]+\.[a-z_]+$/.test(value)) return fails(BAD_TYPE);
  return context.knowsObjectType(value) ? { value } : fails(`Object type ${value} does not exist.`);
}

/** Types of objects, `<app>.<model>`, sorted. Shape: array of strings. */
export function objectTypes(o: Common & { allowEmpty?: boolean } = {}): Field {
  return {
    ...list({
      ...o,
      element: 'varchar(100)',
      item: objectTypeItem,
      sorted: true,
      lookups: o.filter === false ? null : 'objectTypes',
      metadataType: 'field',
      itemSchema: { type: 'string' },
    }),
    kind: 'objectTypes',
  };
}

/** One type of objects, `<app>.<model>`. Shape: string. */
export function objectType(o: Common = {}): Field {
  const required = !o.optional && !o.readOnly;
  return {
    kind: 'objectType',
    column: { type: 'varchar(100)', nullable: o.optional ?? false },
    required,
    nullable: o.optional ?? false,
    readOnly: o.readOnly ?? false,
    writeOnly: false,
    default: null,
    print: (cell) => (cell === null ? 'null' : JSON.stringify(cell)),
    parse: (value, context) =>
      value === '' && o.optional
        ? { value: null }
        : typeof value === 'string' && context.knowsObjectType(value)
          ? { value }
          : fails(BAD_TYPE),
    lookups: o.filter === false ? null : 'objectType',
    metadata: () => ({ type: 'field', required, read_only: o.readOnly ?? false }),
    schema: both({ type: 'string' }, o.optional),
    ...(o.hidden ? { hidden: true } : {}),
  };
}
