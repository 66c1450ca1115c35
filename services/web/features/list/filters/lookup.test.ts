import { expect, test } from '@jest/globals';
import { lookups } from '@cadastre/model';
import { english } from '../../../ui/texts/texts.ts';
import { lookupWord } from './lookup.ts';

const suffixes = new Set(Object.values(lookups).flatMap(Object.keys));
const offered = [...suffixes].flatMap((one) => (one === 'empty' ? ['empty:true', 'empty:false'] : [one]));

test.each(offered)('the lookup %p has a name that people read', (one) =>
  expect(lookupWord(one, english)).not.toBe(one),
);
