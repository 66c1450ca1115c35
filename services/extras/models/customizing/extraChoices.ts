import {
  choiceList,
  fails,
  type Field,
  type FieldErrors,
  isDict,
  type Json,
  json,
  textOf,
  typeName,
} from '@cadastre/model';
import { choiceColors } from './customFieldChoices.ts';

const MAX_LENGTH = 100;

/** Value and label as they are stored, or messages. */
function pairOf(item: Json): [string, string] | { errors: FieldErrors } {
  if (!Array.isArray(item)) return { errors: [`Expected a list of items but got type "${typeName(item)}".`] };
  if (item.length < 2) return { errors: ['Ensure this field has at least 2 elements.'] };
  if (item.length > 2) return { errors: ['Ensure this field has no more than 2 elements.'] };
  const texts = item.map(textOf);
  const wrong = texts.find((t) => 'errors' in t);
  if (wrong) return wrong as { errors: string[] };
  const [value, label] = texts.map((t) => (t as { text: string }).text.trim()) as [string, string];
  if (!value || !label) return { errors: ['This field may not be blank.'] };
  return [value, label].some((text) => [...text].length > MAX_LENGTH)
    ? { errors: [`Ensure this field has no more than ${MAX_LENGTH} characters.`] }
    : [value, label];
}

/** Choices as pairs of value and label. Shape: array of arrays. */
export function choicePairs(): Field {
  return {
    ...json({ notNull: true, default: [] }),
    kind: 'choicePairs',
    required: true,
    parse: (given) => {
      if (!Array.isArray(given)) return fails(`Expected a list of items but got type "${typeName(given)}".`);
      const errors: { [index: string]: FieldErrors } = {};
      const pairs: [string, string][] = [];
      given.forEach((item, index) => {
        const pair = pairOf(item);
        if ('errors' in pair) errors[index] = pair.errors;
        else pairs.push(pair);
      });
      return Object.keys(errors).length ? { errors } : { value: pairs };
    },
    metadata: () => ({
      type: 'list',
      required: true,
      read_only: false,
      child: {
        type: 'list',
        required: true,
        read_only: false,
        min_length: 2,
        max_length: 2,
        child: { type: 'field', required: true, read_only: false },
      },
    }),
    schema: pairSchema,
  };
}

const pairs = { type: 'array', items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 } };
const pairSchema = { read: pairs, write: pairs };

/** Colours by choice, as a JSON object. */
export function colorsByChoice(): Field {
  const one = choiceList(choiceColors).metadata()['child'];
  const schema = { type: 'object', additionalProperties: { enum: choiceColors.map((c) => c.value) } };
  return {
    ...json({ notNull: true, default: {}, optional: true }),
    kind: 'colorsByChoice',
    parse: (given) => {
      if (!isDict(given)) return fails(`Expected a dictionary of items but got type "${typeName(given)}".`);
      const wrong = Object.entries(given).filter(([, value]) => !choiceColors.some((c) => c.value === value));
      return wrong.length
        ? {
            errors: Object.fromEntries(
              wrong.map(([key, value]) => [
                key,
                [`"${typeof value === 'string' ? value : JSON.stringify(value)}" is not a valid choice.`],
              ]),
            ),
          }
        : { value: given };
    },
    metadata: () => ({ type: 'nested object', required: false, read_only: false, child: one }),
    schema: { read: schema, write: schema },
  };
}
