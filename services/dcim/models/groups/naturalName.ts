// Names of interfaces, in the order in which people count them: by slot and port, then by kind.
import { type Field, type Rule, text, type Values } from '@cadastre/model';

/** Longest key by which names are sorted, in characters. */
const MAX_KEY = 100;

/**
 * A name taken apart: `xe-1/2/3:4.5 extra`. What stands before the first digit is the kind; numbers before slashes are
 * slots.
 */
const NAME = /^([^\d.:]+)?((?:\d+\/){0,4})(\d+)?(?::(\d+))?(?:\.(\d+))?(.*)$/s;

/** Numbers in a text, filled up with zeros, sort by value. */
const counted = (text: string): string => text.replace(/\d+/g, (digits) => digits.padStart(8, '0'));

/** The text by which the name of an interface is sorted, character by character. */
export function nameKey(name: string): string {
  const [, kind = '', slots = '', port, channel, unit, rest = ''] = NAME.exec(name)!;
  const places = slots.split('/').slice(0, -1);
  const [a = '9999', b = '9999', c = '9999', d = '9999'] = places.map((slot) => slot.padStart(4, '0'));
  const numbers = [port, channel, unit].map((number) => (number === undefined ? '......' : number.padStart(6, '0')));
  return (a + b + c + d + kind + numbers.join('') + counted(rest)).slice(0, MAX_KEY);
}

/** The name of an interface with the key that it is sorted by, `['device', '_name']`. */
export const interfaceName = (): Record<string, Field> => ({
  name: text({ max: 64 }),
  _name: text({ max: MAX_KEY, optional: true, readOnly: true, hidden: true, filter: false }),
});

/** An object with the key of its name. */
export const named = (object: Values): Values => ({ ...object, _name: nameKey(String(object['name'] ?? '')) });

/** Keeps the key of the name. */
export const namesAreCounted: Rule = (object) => {
  object['_name'] = nameKey(String(object['name'] ?? ''));
  return undefined;
};
