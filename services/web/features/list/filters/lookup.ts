import type { TextName, Texts } from '../../../ui/texts/texts.ts';
import type { Control } from './controls.ts';

/** Names of lookups as people read them; `:` separates a value that goes with one. */
const WORDS: Readonly<Record<string, TextName>> = {
  '': 'lookupIs',
  n: 'lookupIsNot',
  ic: 'lookupContains',
  nic: 'lookupContainsNot',
  isw: 'lookupStarts',
  nisw: 'lookupStartsNot',
  iew: 'lookupEnds',
  niew: 'lookupEndsNot',
  ie: 'lookupIsAnyCase',
  nie: 'lookupIsNotAnyCase',
  regex: 'lookupRegex',
  iregex: 'lookupRegexAnyCase',
  lt: 'lookupLess',
  lte: 'lookupAtMost',
  gt: 'lookupMore',
  gte: 'lookupAtLeast',
  any: 'lookupAnyOf',
  'empty:true': 'lookupEmpty',
  'empty:false': 'lookupNotEmpty',
  ':null': 'lookupNone',
  'n:null': 'lookupSome',
};

/** The label of a lookup, with the value that belongs to it. */
export const lookupWord = (lookup: string, texts: Texts): string => {
  const word = WORDS[lookup];
  return word ? texts(word) : lookup;
};

export interface LookupOption {
  value: string;
  label: string;
  chosen: boolean;
}

/** The lookups that a filter offers, as the options of a list. */
export function lookupOptions(control: Control, said: string | undefined, texts: Texts): LookupOption[] {
  const { lookups, kind, of } = control;
  const chosen = said ?? usual(control);
  // For choices, text comparisons add nothing that choosing several values does not offer.
  const named = kind === 'selects' ? lookups.filter((one) => ['', 'n', 'empty'].includes(one)) : lookups;
  const all = named.flatMap((one) => (one === 'empty' ? ['empty:true', 'empty:false'] : [one]));
  const nulls = of !== undefined && lookups.includes('n') && !lookups.includes('empty') ? [':null', 'n:null'] : [];
  return [...all, ...nulls].map((value) => ({ value, label: lookupWord(value, texts), chosen: value === chosen }));
}

/** Users mostly know only a part of a text, so the default is "contains". */
const usual = ({ kind, lookups }: Control): string => (kind === 'text' && lookups.includes('ic') ? 'ic' : '');

/** The form field that has a filter's lookup. */
export const lookupField = (name: string): string => `_lookup.${name}`;

/** The lookup and the value that an option stands for. */
export function lookupSaid(said: string): { suffix: string; value: string | undefined } {
  const at = said.indexOf(':');
  return at < 0 ? { suffix: said, value: undefined } : { suffix: said.slice(0, at), value: said.slice(at + 1) };
}

export const parameterOf = (name: string, suffix: string): string => (suffix === '' ? name : `${name}__${suffix}`);
