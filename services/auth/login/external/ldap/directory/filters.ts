import {
  AndFilter,
  ApproximateFilter,
  EqualityFilter,
  ExtensibleFilter,
  type Filter,
  FilterParser,
  GreaterThanEqualsFilter,
  LessThanEqualsFilter,
  NotFilter,
  OrFilter,
  SubstringFilter,
} from 'ldapts';

/** A placeholder in a filter for a value that is known only at a login. */
export type Placeholder = 'user' | 'dn';

/**
 * Private-use characters that stand for the placeholders while the filter is parsed, as the parentheses of `%(user)s`
 * would be part of its syntax. Values are later put into the parsed filter, so they are never read as syntax.
 */
const MARKS: Record<Placeholder, string> = { user: '\u{E000}', dn: '\u{E001}' };
const PLACEHOLDERS = Object.keys(MARKS) as Placeholder[];

/** The rule by which Active Directory looks for members of members, too. */
const IN_CHAIN = '1.2.840.113556.1.4.1941';

/** A filter as RFC 4515 writes it, with `%(user)s` and `%(dn)s`. @throws Error for a text that is not a filter */
export function parseFilter(text: string): Filter {
  const marked = PLACEHOLDERS.reduce((some, name) => some.replaceAll(`%(${name})s`, MARKS[name]), text);
  return FilterParser.parseString(unescaped(marked));
}

/** The library decodes each escaped byte as a character, but characters outside of ASCII have several bytes. */
const unescaped = (text: string): string =>
  text.replace(/(?:\\[89a-f][0-9a-f])+/gi, (bytes) => Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString('utf8'));

/** Whether a value of the filter has the placeholder. */
export function mentions(filter: Filter, name: Placeholder): boolean {
  let found = false;
  withValues(filter, (value) => {
    found ||= value.includes(MARKS[name]);
    return value;
  });
  return found;
}

/** The filter for one login. */
export const filled = (filter: Filter, values: Record<Placeholder, string>): Filter =>
  withValues(filter, (value) =>
    // Both in one pass: the value of one placeholder may contain the mark of the other.
    value.replace(/[\u{E000}\u{E001}]/gu, (mark) => values[mark === MARKS.user ? 'user' : 'dn']),
  );

/** The filter for nested groups: where it asks for a member by DN, indirect members match as well. */
export const inChain = (filter: Filter): Filter =>
  withLeaves(filter, (leaf) =>
    leaf instanceof EqualityFilter && leaf.value === MARKS.dn
      ? new ExtensibleFilter({ matchType: leaf.attribute, rule: IN_CHAIN, value: leaf.value })
      : leaf,
  );

/** Any of these. */
export const anyOf = (filters: Filter[]): Filter =>
  filters.length === 1 ? filters[0]! : new OrFilter({ filters: [...filters] });

function withLeaves(filter: Filter, change: (leaf: Filter) => Filter): Filter {
  if (filter instanceof AndFilter) return new AndFilter({ filters: filter.filters.map((f) => withLeaves(f, change)) });
  if (filter instanceof OrFilter) return new OrFilter({ filters: filter.filters.map((f) => withLeaves(f, change)) });
  if (filter instanceof NotFilter) return new NotFilter({ filter: withLeaves(filter.filter, change) });
  return change(filter);
}

function withValues(filter: Filter, change: (value: string) => string): Filter {
  return withLeaves(filter, (leaf) => {
    if (leaf instanceof SubstringFilter) {
      const { attribute, initial, any, final } = leaf;
      return new SubstringFilter({ attribute, initial: change(initial), any: any.map(change), final: change(final) });
    }
    if (leaf instanceof ExtensibleFilter) {
      const { rule, matchType, dnAttributes, value } = leaf;
      return new ExtensibleFilter({ rule, matchType, dnAttributes, value: change(value) });
    }
    for (const Kind of [EqualityFilter, ApproximateFilter, GreaterThanEqualsFilter, LessThanEqualsFilter])
      if (leaf instanceof Kind) return new Kind({ attribute: leaf.attribute, value: change(String(leaf.value)) });
    return leaf;
  });
}
