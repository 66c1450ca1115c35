import type { Refusal } from '../core/errors.ts';
import { type CustomField, CustomFieldDefinitions } from '../cache/customFieldDefinitions.ts';
import { Binder } from '../db/sql.ts';
import { parseQuery } from '../read/query/query.ts';
import { house, superuser, tables } from './town.ts';
import { conditionsOf } from '../read/filters/conditions.ts';
import type { Wanted } from '../read/filters/context.ts';

const field = (name: string, type: string, more: Partial<CustomField> = {}): CustomField => ({
  name,
  label: '',
  type,
  relatedType: null,
  required: false,
  unique: false,
  default: null,
  filterLogic: 'loose',
  searched: true,
  minimum: null,
  maximum: null,
  regex: '',
  schema: null,
  choiceSet: null,
  ...more,
});

export const definitions = new CustomFieldDefinitions(
  new Map([
    [
      'town.house',
      [
        field('code', 'text'),
        field('exact', 'text', { filterLogic: 'exact' }),
        field('off', 'text', { filterLogic: 'disabled' }),
        field('floors', 'integer'),
        field('price', 'decimal'),
        field('flag', 'boolean'),
        field('day', 'date'),
        field('moment', 'datetime'),
        field('tier', 'select'),
        field('tiers', 'multiselect'),
        field('boss', 'object', { relatedType: 'people.person' }),
        field('team', 'multiobject', { relatedType: 'people.person' }),
        field('a__b', 'integer'),
      ],
    ],
  ]),
);

/** Every value but `nobody` names two objects. */
export const wanted: Wanted[] = [];

export const find = async (w: Wanted) => {
  wanted.push(w);
  return new Map(w.values.filter((v) => v !== 'nobody').map((v) => [v, [`1${v.length}`, '2']]));
};

export async function made(search: string, model = house, strict = false) {
  const binder = new Binder();
  wanted.length = 0;
  const { sql, types, regexes } = await conditionsOf(
    model,
    parseQuery(search, { paginateCount: 50, maxPageSize: 0 }).filters,
    { tables, binder, find, definitions, maxRegexLength: 9, strict, who: { ...superuser, userId: 7 } },
  );
  return { sql: sql.join(' and '), values: binder.values, types: [...types], regexes };
}

export const errors = (search: string, strict = false) =>
  made(search, house, strict).then(
    () => 'accepted',
    (refusal: Refusal) => [refusal.status, refusal.body],
  );

export const missing = (value: string) => [`Select a valid choice. ${value} is not one of the available choices.`];
