import type { Json } from '../../types/json.ts';
import type { Common, Field } from '../../types/model.ts';
import { fails } from '../../types/parsing.ts';
import { both } from './text.ts';

const TRUE: Json[] = [true, 'true', 'True', 'TRUE', 't', 'T', 'yes', 'Yes', 'YES', 'y', 'Y', 'on', 'On', 'ON', '1', 1];
const FALSE: Json[] = [
  false,
  'false',
  'False',
  'FALSE',
  'f',
  'F',
  'no',
  'No',
  'NO',
  'n',
  'N',
  'off',
  'Off',
  'OFF',
  '0',
  0,
];

/** The truth value that a client meant, or undefined. */
export const booleanOf = (value: Json): boolean | undefined =>
  TRUE.includes(value) ? true : FALSE.includes(value) ? false : undefined;

/** True or false. */
export function boolean(o: Common & { default?: boolean; nullable?: boolean } = {}): Field {
  const byDefault = o.default ?? (o.nullable ? null : false);
  return {
    kind: 'boolean',
    column: {
      type: 'boolean',
      nullable: o.nullable ?? false,
      ...(byDefault === null ? {} : { default: String(byDefault) }),
    },
    required: false,
    nullable: o.nullable ?? false,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: byDefault,
    print: (cell) => (cell === null ? 'null' : cell === 't' || cell === 'true' ? 'true' : 'false'),
    parse: (value) => {
      const truth = booleanOf(value);
      return truth === undefined ? fails('Must be a valid boolean.') : { value: truth };
    },
    lookups: o.filter === false ? null : 'boolean',
    metadata: () => ({ type: 'boolean', required: false, read_only: o.readOnly ?? false }),
    schema: both({ type: 'boolean' }, o.nullable),
    ...(o.hidden ? { hidden: true } : {}),
  };
}
