import { type Cell, type Json, typeName } from '../../types/json.ts';
import type { Common, Field } from '../../types/model.ts';
import { fails, type Parsed } from '../../types/parsing.ts';
import { bitsOf, networkOf, networkText, spanOf } from '../../values/network.ts';
import { choiceJson, choiceSchema, choices } from '../plain/choice.ts';
import { both } from '../plain/text.ts';
import { computed } from '../special.ts';

export interface NetworkOptions extends Common {
  /** Access method of the column's own index; `gist` where queries ask which networks lie within others. */
  index?: 'btree' | 'gist' | false;
}

/** PostgreSQL leaves the mask out where it is a single host's. */
export const withMask = (cell: string): string =>
  cell.includes('/') ? cell : `${cell}/${bitsOf(cell.includes(':') ? 6 : 4)}`;

const shown = (value: Json): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? typeName(value) : String(value);

function parsed(
  value: Json,
  what: string,
): { text: string; network: NonNullable<ReturnType<typeof networkOf>> } | { errors: string[] } {
  if (typeof value === 'string' && value.trim() === '') return { errors: ['This field may not be blank.'] };
  const network = typeof value === 'string' ? networkOf(value.trim()) : undefined;
  return network ? { text: networkText(network), network } : { errors: [`Invalid IP ${what} format: ${shown(value)}`] };
}

function parseAddress(value: Json): Parsed {
  const address = parsed(value, 'address');
  return 'errors' in address ? address : { value: address.text };
}

function parseNetwork(value: Json): Parsed {
  const prefix = parsed(value, 'prefix');
  if ('errors' in prefix) return prefix;
  const { network, text } = prefix;
  const { first } = spanOf(network);
  return first === network.address
    ? { value: text }
    : fails(`${text} is not a valid prefix. Did you mean ${networkText({ ...network, address: first })}?`);
}

const field = (kind: string, type: 'inet' | 'cidr', parse: (value: Json) => Parsed, o: NetworkOptions): Field => {
  const required = !o.optional && !o.readOnly;
  return {
    kind,
    column: {
      type,
      nullable: o.optional ?? false,
      index: o.index ?? 'gist',
      ...(type === 'inet' ? { order: 'host' } : {}),
    },
    required,
    nullable: o.optional ?? false,
    readOnly: o.readOnly ?? false,
    writeOnly: false,
    default: null,
    print: (cell) => (cell === null ? 'null' : `"${withMask(cell)}"`),
    parse,
    lookups: null,
    metadata: () => ({ type: 'string', required, read_only: o.readOnly ?? false }),
    schema: both({ type: 'string' }, o.optional),
    ...(o.hidden ? { hidden: true } : {}),
  };
};

/**
 * An address with the mask of the network that it is in; without one it is a host's. Shape: `10.0.0.1/24`. Sorted by
 * the address, whatever the mask.
 */
export const ipAddress = (o: NetworkOptions = {}): Field => field('ipAddress', 'inet', parseAddress, o);

/** A network: an address with no host bit set, and a mask. Shape: `10.0.0.0/24`. */
export const network = (o: NetworkOptions = {}): Field => field('network', 'cidr', parseNetwork, o);

export const ipFamily = choices([
  [4, 'IPv4'],
  [6, 'IPv6'],
]);

const printed = { 4: choiceJson(ipFamily[0]!), 6: choiceJson(ipFamily[1]!) };
const familyIn = (cell: Cell | undefined): 4 | 6 => (cell?.includes(':') ? 6 : 4);

/**
 * Whether an address or network in another column is one of IPv4 or IPv6; the bare number where the object stands
 * inside another in its nested form.
 */
export const family = (column: string): Field => ({
  ...computed([column], ([cell]) => printed[familyIn(cell)], {
    schema: choiceSchema({ type: 'integer', enum: [4, 6] }, ['IPv4', 'IPv6']),
  }),
  inNested: computed([column], ([cell]) => String(familyIn(cell)), {
    type: 'integer',
    schema: { type: 'integer', enum: [4, 6] },
  }),
});
