import type { FieldMetadata, Schema } from '../types/column.ts';
import { type Cell, isDict, printRaw, printText } from '../types/json.ts';
import type { Common, Field } from '../types/model.ts';
import { fails } from '../types/parsing.ts';
import { both, text } from './plain/text.ts';

/** Values of the custom fields that are defined for the type of object. Shape: object by field name. */
export function customFields(): Field {
  return {
    kind: 'customFields',
    special: 'customFields',
    column: { type: 'jsonb', nullable: false, default: "'{}'", index: 'gin' },
    required: false,
    nullable: false,
    readOnly: false,
    writeOnly: false,
    default: {},
    printSnapshot: printRaw,
    parse: (value) => (isDict(value) ? { value } : fails('Invalid data. Expected a dictionary.')),
    lookups: null,
    metadata: () => ({ type: 'field', required: false, read_only: false }),
    schema: both({ type: 'object', additionalProperties: true }),
  };
}

/** A value made of other columns of the same row; `print` gives JSON text from their cells. */
export function computed(
  columns: string[],
  print: (cells: Cell[]) => string,
  o: { schema?: Schema; type?: string; onlyWhenCreated?: boolean } = {},
): Field {
  const metadata = (): FieldMetadata => ({ type: o.type ?? 'field', required: false, read_only: true });
  return {
    kind: 'computed',
    required: false,
    nullable: true,
    readOnly: true,
    writeOnly: false,
    computed: { columns, print },
    lookups: null,
    metadata,
    schema: { read: o.schema ?? {}, write: {} },
    ...(o.onlyWhenCreated ? { onlyWhenCreated: true } : {}),
  };
}

/** A UUID, lower case with hyphens. */
export function uuid(o: Common = {}): Field {
  return {
    kind: 'uuid',
    column: { type: 'uuid', nullable: o.optional ?? false, index: 'btree' },
    required: !o.optional && !o.readOnly,
    nullable: o.optional ?? false,
    readOnly: o.readOnly ?? false,
    writeOnly: false,
    default: null,
    print: printText,
    parse: (value) =>
      typeof value === 'string' && /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value)
        ? { value }
        : fails('Must be a valid UUID.'),
    lookups: o.filter === false ? null : 'uuid',
    metadata: () => ({ type: 'string', required: false, read_only: o.readOnly ?? false }),
    schema: both({ type: 'string', format: 'uuid' }, o.optional),
    ...(o.hidden ? { hidden: true } : {}),
  };
}

/**
 * A text that exists only while its object is being made: given by the client or filled in by a rule, never stored,
 * shown in the answer to the create and null ever after.
 */
export function onceShown(o: { max: number; min?: number }): Field {
  const {
    column: _,
    print: __,
    ...field
  } = text({ ...o, optional: true, nullable: true, filter: false, secret: true });
  return { ...field, kind: 'onceShown', computed: { columns: [], print: () => 'null' }, onlyWhenCreated: true };
}
