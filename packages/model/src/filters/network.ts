import { quote, sortedBy } from '../sql/columns.ts';
import type { Filter, FilterSql } from '../types/filter.ts';
import { addressText, networkOf, networkText, spanOf } from '../values/network.ts';
import { method } from './filter.ts';

/** Filters of columns that hold addresses (`inet`) or networks (`cidr`). A value that is neither matches nothing. */

const NOTHING = 'false';
const at = (table: string, column: string): string => `${table}.${quote(column)}`;

/** The address of a column without its mask, as it is indexed for sorting. */
export const hostOf = (table: string, column: string): string => sortedBy({ order: 'host' }, at(table, column));

/** The network that a value names, host bits ignored. */
function networkIn(value: string): string | undefined {
  const parsed = networkOf(value.trim());
  return parsed && networkText({ ...parsed, address: spanOf(parsed).first });
}

const anyOf = (parts: string[]): string => (parts.length ? `(${parts.join(' or ')})` : NOTHING);

/** SQL for an address that lies within a network, whatever its own mask is; a range in the order of addresses. */
export function hostWithin(
  { table, bind }: Pick<FilterSql, 'table' | 'bind'>,
  column: string,
  value: string,
): string | undefined {
  const parsed = networkOf(value.trim());
  if (!parsed) return undefined;
  const { first, last } = spanOf(parsed);
  const text = (address: bigint) => `${bind(addressText(parsed.family, address))}::inet`;
  return `${hostOf(table, column)} between ${text(first)} and ${text(last)}`;
}

/** `?family=4` */
export const familyFilter = (column: string): Filter =>
  method('number', ({ table, bind }, [value]) => `family(${at(table, column)}) = ${bind(value)}::bigint`);

/** `?mask_length=24`, also `__gte` and `__lte`. */
export const maskFilters = (column: string): Record<string, Filter> => ({
  mask_length: method(
    'number',
    ({ table, bind }, values) => `masklen(${at(table, column)}) = any(${bind(values)}::bigint[])`,
    true,
  ),
  mask_length__gte: method(
    'number',
    ({ table, bind }, [value]) => `masklen(${at(table, column)}) >= ${bind(value)}::bigint`,
  ),
  mask_length__lte: method(
    'number',
    ({ table, bind }, [value]) => `masklen(${at(table, column)}) <= ${bind(value)}::bigint`,
  ),
});

/** Addresses: with a mask exactly these, without one whatever the mask. */
export const addressFilter = (column: string): Filter =>
  method(
    'text',
    ({ table, bind }, values) => {
      const known = values.flatMap((value) => {
        const parsed = networkOf(value.trim());
        return parsed ? [{ ...parsed, masked: value.includes('/') }] : [];
      });
      const masked = known.filter((one) => one.masked);
      const hosts = (of: typeof known) =>
        `${hostOf(table, column)} = any(${bind(of.map((one) => addressText(one.family, one.address)))}::inet[])`;
      return anyOf([
        // The second comparison is the one that an index serves.
        ...(masked.length
          ? [`(${at(table, column)} = any(${bind(masked.map(networkText))}::inet[]) and ${hosts(masked)})`]
          : []),
        ...(masked.length < known.length ? [hosts(known.filter((one) => !one.masked))] : []),
      ]);
    },
    true,
  );

/**
 * `?parent=10.0.0.0/8`: all the columns hold addresses of one of the networks. If any value is not a network, nothing
 * matches.
 */
export const withinFilter = (...columns: string[]): Filter =>
  method(
    'text',
    (sql, values) => {
      const parts = values.map((value) => columns.map((column) => hostWithin(sql, column, value)));
      return parts.some((all) => all.includes(undefined))
        ? NOTHING
        : anyOf(parts.map((all) => `(${all.join(' and ')})`));
    },
    true,
  );

/** `?prefix=`, `?within=`, `?within_include=`, `?contains=` of a column of networks. */
export const networkFilters = (column: string): Record<'equal' | 'within' | 'withinInclude' | 'contains', Filter> => {
  const compared = (operator: string): Filter =>
    method('text', ({ table, bind }, [value]) => {
      const network = networkIn(value!);
      return network ? `${at(table, column)} ${operator} ${bind(network)}::inet` : NOTHING;
    });
  return {
    equal: method(
      'text',
      ({ table, bind }, values) => {
        const networks = values.flatMap((value) => {
          const parsed = networkOf(value.trim());
          return parsed ? [networkText(parsed)] : [];
        });
        return networks.length ? `${at(table, column)} = any(${bind(networks)}::inet[])` : NOTHING;
      },
      true,
    ),
    within: compared('<<'),
    withinInclude: compared('<<='),
    // An address without a mask matches only larger networks; a network also matches an equal one.
    contains: method('text', ({ table, bind }, [value]) => {
      const network = networkIn(value!);
      return network ? `${at(table, column)} ${value!.includes('/') ? '>>=' : '>>'} ${bind(network)}::inet` : NOTHING;
    }),
  };
};

/** For `?q=`: networks that hold what the text says, if it is an address or a network. */
export const searchNetworks =
  (column: string) =>
  ({ table, bind }: FilterSql, text: string): string | undefined => {
    const network = networkIn(text);
    return network && `${at(table, column)} >>= ${bind(network)}::inet`;
  };
