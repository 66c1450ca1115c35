import type { Choice, Schema } from '../../types/column.ts';
import { type Json, printText } from '../../types/json.ts';
import type { Common, Field } from '../../types/model.ts';
import { fails } from '../../types/parsing.ts';
import { sizeFor } from './number.ts';

export interface ChoiceOptions extends Common {
  default?: string | number;
  max?: number;
  /** SQL NULL instead of the empty string when there is no value. */
  nullable?: boolean;
  /** Shape on the wire: `{value, label}`, or the value alone. */
  plain?: boolean;
  numeric?: boolean;
  index?: boolean;
  /**
   * The filter takes one value, the last that is given, and its lookups take any text. Otherwise it takes several
   * values, and all lookups but `empty` take only choices that are offered.
   */
  one?: boolean;
}

/** A set of choices, declared once and shared by the fields that offer it: `choices([['active', 'Active'], …])`. */
export const choices = (pairs: [value: string | number, label: string][]): Choice[] =>
  pairs.map(([value, label]) => ({ value, label }));

/** What a value of a choice looks like on the wire. */
export const choiceJson = (choice: Choice): string => JSON.stringify({ value: choice.value, label: choice.label });

/** One of a set of values. Read as `{value, label}`, written as the value. */
export function choice(offered: Choice[], o: ChoiceOptions = {}): Field {
  const required = !o.optional && o.default === undefined && !o.readOnly;
  const nullable = (o.optional ?? false) && o.default === undefined;
  const storesNull = (o.nullable ?? false) || (nullable && (o.numeric ?? false));
  const printed = new Map(offered.map((c) => [String(c.value), o.plain ? JSON.stringify(c.value) : choiceJson(c)]));
  const empty: Json = storesNull ? null : '';
  const metadata = () => ({
    type: o.plain ? 'choice' : 'field',
    required,
    read_only: o.readOnly ?? false,
    choices: offered.map((c) => ({ value: c.value, display_name: c.label })),
  });
  return {
    kind: 'choice',
    column: {
      type: o.numeric ? sizeFor(offered.map((c) => Number(c.value))) : `varchar(${o.max ?? 50})`,
      nullable: storesNull,
      ...(o.default !== undefined
        ? { default: o.numeric ? String(o.default) : `'${o.default}'` }
        : storesNull
          ? {}
          : { default: "''" }),
      index: o.index ? 'btree' : false,
    },
    required,
    nullable,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: o.default ?? empty,
    // A value that is no longer offered is still shown as it is stored.
    print: (cell) =>
      cell === null || cell === ''
        ? 'null'
        : (printed.get(cell) ?? JSON.stringify(o.plain ? cell : { value: cell, label: cell })),
    printSnapshot: (cell) => (o.numeric ? (cell ?? 'null') : printText(cell)),
    parse: (value) => parseChoice(offered, value, nullable, empty),
    choices: offered,
    lookups: o.filter === false ? null : o.one ? 'oneChoice' : 'choice',
    metadata,
    schema: schemaOf(offered, o, nullable),
    ...(o.hidden ? { hidden: true } : {}),
  };
}

function parseChoice(offered: Choice[], value: Json, nullable: boolean, empty: Json) {
  if (value === '') return nullable ? { value: empty } : fails('This field may not be blank.');
  if (Array.isArray(value))
    return fails('Value must be passed directly (e.g. "foo": 123); do not use a dictionary or list.');
  if (value !== null && typeof value === 'object')
    return fails('Value must be passed directly (e.g. "foo": 123); do not use a dictionary or list.');
  const found = offered.find((c) => c.value === value) ?? offered.find((c) => String(c.value) === String(value));
  return found ? { value: found.value } : fails(`${String(value)} is not a valid choice.`);
}

/** The schema of a choice as it is shown. */
export const choiceSchema = (value: Schema, labels: readonly string[]): Schema => ({
  type: 'object',
  properties: { value, label: { type: 'string', enum: labels } },
  required: ['value', 'label'],
});

function schemaOf(offered: Choice[], o: ChoiceOptions, nullable: boolean) {
  const values = offered.map((c) => c.value);
  const type = offered.every((c) => typeof c.value === 'number') ? 'integer' : 'string';
  const write = nullable ? { type: [type, 'null'], enum: [...values, null] } : { type, enum: values };
  if (o.plain) return { read: write, write };
  const object = choiceSchema(
    { type, enum: values },
    offered.map((c) => c.label),
  );
  return { read: nullable ? { anyOf: [object, { type: 'null' }] } : object, write };
}
