import type { Schema } from '../../types/column.ts';
import type { Cell } from '../../types/json.ts';
import type { Batched, BatchSql, Field } from '../../types/model.ts';
import type { Form } from '../../types/relation.ts';

interface BatchedOptions {
  from: readonly string[];
  fresh?: boolean;
  sql(context: BatchSql): string;
  /** How OPTIONS and the API document describe it. */
  type?: string;
  schema?: Schema;
}

const readOnly = (kind: string, value: Batched, { type, schema }: BatchedOptions, byDefault: Schema): Field => ({
  kind,
  required: false,
  nullable: value.empty === 'null',
  readOnly: true,
  writeOnly: false,
  batched: value,
  lookups: null,
  metadata: () => ({ type: type ?? 'field', required: false, read_only: true }),
  schema: { read: schema ?? byDefault, write: {} },
});

/**
 * A value made of rows of other tables, for all objects of a page by one statement: `batched({ from: ['dcim.cable'],
 * sql: (s) => `select t.id, … where t.id = any($1)`, print: ([row]) => …, empty: 'null' })`.
 */
export const batched = ({
  print,
  empty = 'null',
  ...o
}: BatchedOptions & { print(rows: Cell[][]): string; empty?: string }): Field =>
  readOnly('batched', { from: o.from, ...(o.fresh ? { fresh: true } : {}), sql: o.sql, print, empty }, o, {});

interface LinkedOptions extends BatchedOptions {
  many?: boolean;
  form?: Form;
  to?: readonly string[];
  members?: readonly string[];
  empty?: '[]' | 'null';
}

/**
 * Objects that SQL finds for those of a page: rows of the id of an object of the page, and the type and id of one that
 * it is linked with. Shown as a list of brief objects (`empty` stands for none), or with `many: false` as the first of
 * them or null. `to` names the types that may be found, where they are few. `members` names what follows the first one:
 * those objects are shown inside it.
 */
export const linked = ({
  many = true,
  form = 'brief',
  to,
  members,
  empty = many ? '[]' : 'null',
  ...o
}: LinkedOptions): Field => {
  const one: Schema = { type: 'object', additionalProperties: true };
  const links = { many, form, ...(to ? { to } : {}), ...(members ? { members } : {}) };
  return readOnly(
    'linked',
    { from: o.from, sql: o.sql, empty, links },
    o,
    many ? { type: 'array', items: one } : { anyOf: [one, { type: 'null' }] },
  );
};
