import {
  administrative,
  boolean,
  type Cell,
  choice,
  computed,
  description,
  type Json,
  method,
  model,
  owner,
  type Rule,
  text,
  timestamps,
} from '@cadastre/model';
import { baseChoices } from './baseChoices.ts';
import { baseChoiceSets } from './customFieldChoices.ts';
import { choicePairs, colorsByChoice } from './extraChoices.ts';

const pairsIn = (value: Json | undefined): [string, string][] =>
  Array.isArray(value) ? (value as [string, string][]) : [];

const howMany = ([base, extra]: Cell[]): string =>
  String((base ? (baseChoices(base)?.length ?? 0) : 0) + pairsIn(JSON.parse(extra ?? '[]') as Json).length);

export const hasChoices: Rule = ({ base_choices, extra_choices }) =>
  base_choices || pairsIn(extra_choices).length ? undefined : { __all__: ['Must define base or extra choices.'] };

export const hasBaseData: Rule = ({ base_choices: base }) =>
  typeof base === 'string' && base !== '' && !baseChoices(base)
    ? { base_choices: [`The data of ${base} is not part of this installation; give the choices as extra_choices.`] }
    : undefined;

/** Every value stands for one choice. */
export const valuesDiffer: Rule = ({ extra_choices }) => {
  const values = pairsIn(extra_choices).map(([value]) => value);
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  return twice === undefined ? undefined : { __all__: [`Duplicate value '${twice}' found in extra choices.`] };
};

/** Colours are given to choices that are there. */
export const colorsBelongToChoices: Rule = ({ base_choices, extra_choices, choice_colors }) => {
  const offered = new Set(
    [...(typeof base_choices === 'string' ? (baseChoices(base_choices) ?? []) : []), ...pairsIn(extra_choices)].map(
      ([value]) => value,
    ),
  );
  const unknown = Object.keys((choice_colors ?? {}) as Record<string, Json>)
    .filter((value) => !offered.has(value))
    .sort();
  return unknown.length
    ? {
        choice_colors: [
          `Color mappings must reference an existing choice value. Invalid value(s): ${unknown.join(', ')}.`,
        ],
      }
    : undefined;
};

/** What custom fields of the types selection and multiple selection offer. */
export const customFieldChoiceSet = model('extras.customfieldchoiceset', {
  path: 'custom-field-choice-sets',
  pages: {
    columns: ['base_choices', 'choices_count', 'order_alphabetically', 'description'],
    groups: { Choices: ['base_choices', 'extra_choices', 'choice_colors', 'order_alphabetically'] },
  },
  label: 'custom field choice set',
  displayPath: 'extras/custom-field-choices',
  ordering: ['name'],
  features: administrative,
  brief: ['name', 'description', 'choices_count'],
  search: ['name', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    ...description(),
    base_choices: choice(baseChoiceSets, { optional: true, nullable: true, one: true }),
    extra_choices: choicePairs(),
    choice_colors: colorsByChoice(),
    order_alphabetically: boolean(),
    choices_count: computed(['base_choices', 'extra_choices'], howMany, {
      type: 'integer',
      schema: { type: 'integer' },
    }),
    ...owner(),
    ...timestamps(),
  },
  filters: {
    choice: method(
      'text',
      ({ table, bind }, values) => {
        const wanted = bind(values);
        return `exists (select 1 from jsonb_array_elements(${table}.extra_choices) c where c ->> 0 = any(${wanted}::text[]) or c ->> 1 = any(${wanted}::text[]))`;
      },
      true,
    ),
    choice_colors: method(
      'text',
      ({ table, bind }, values) =>
        `exists (select 1 from jsonb_each_text(${table}.choice_colors) c where c.value = any(${bind(values)}::text[]))`,
      true,
    ),
  },
  rules: [hasChoices, hasBaseData, valuesDiffer, colorsBelongToChoices],
});
