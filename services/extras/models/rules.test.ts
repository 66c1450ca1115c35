import {
  type Errors,
  type Feature,
  type Json,
  type Model,
  type RuleContext,
  typeId,
  type Values,
} from '@cadastre/model';
import { describe, expect, test } from '@jest/globals';
import { bookmark } from './personal/bookmark.ts';
import { configContext } from './templates/configContext.ts';
import { configContextProfile } from './templates/configContextProfile.ts';
import { customLink } from './customizing/customLink.ts';
import { exportTemplate } from './templates/exportTemplate.ts';
import { imageAttachment } from './imageAttachment.ts';
import { journalEntry } from './journalEntry.ts';
import { notification } from './personal/notification.ts';
import { savedFilter } from './personal/savedFilter.ts';
import { tableConfig } from './personal/tableConfig.ts';
import { taggedItem } from './taggedItem.ts';

const context = (o: Partial<RuleContext> = {}): RuleContext => ({
  before: null,
  given: {},
  related: async () => null,
  isBelow: async () => false,
  requester: { userId: 7 },
  among: [],
  found: async () => [],
  displayOf: async () => '',
  held: async () => null,
  current: async () => null,
  labelOf: () => undefined,
  featuresOf: (type) =>
    type === 'dcim.site'
      ? new Set<Feature>(['journaling', 'bookmarks', 'notifications', 'imageAttachments'])
      : type === 'extras.tag'
        ? new Set<Feature>()
        : undefined,
  service: () => {
    throw new Error('none');
  },
  ...o,
});
const errorsOf = async (model: Model, object: Values, given: Partial<RuleContext> = {}): Promise<Errors> =>
  Object.assign({}, ...(await Promise.all(model.rules.map((rule) => rule(object, context(given))))));
const parsed = (model: Model, field: string, value: Json) =>
  model.fields[field]!.parse!(value, { knowsObjectType: () => true });

describe('what is about objects', () => {
  test.each<[Model, string, string]>([
    [journalEntry, 'assigned_object_type', 'Journaling is not supported for this object type (extras.tag).'],
    [bookmark, 'object_type', 'Bookmarks cannot be assigned to this object type (extras.tag).'],
    [notification, 'object_type', 'Objects of this type (extras.tag) do not support notifications.'],
    [imageAttachment, 'object_type', 'Image attachments cannot be assigned to this object type (extras.tag).'],
  ])('is only about those that can have it', async (model, field, message) => {
    expect(await errorsOf(model, { [field]: 'dcim.site', created_by: 1 })).toEqual({});
    expect(await errorsOf(model, { [field]: 'extras.tag', created_by: 1 })).toEqual({ __all__: [message] });
    expect(await errorsOf(model, { [field]: 'no.such', created_by: 1 })).toHaveProperty('__all__');
  });
  test('is called like them, or by more', () => {
    expect([bookmark.display.text([], ['BER1']), bookmark.display.text([], [null])]).toEqual(['BER1', '']);
    expect(taggedItem.display.text([], ['BER1', 'Alpha'])).toBe('BER1 tagged with Alpha');
    expect([
      imageAttachment.display.text(['photo', 'a/b.png'], []),
      imageAttachment.display.text(['', 'a/b.png'], []),
    ]).toEqual(['photo', 'b.png']);
    expect(journalEntry.display.text(['2026-11-21 05:20:29.705294+00', 'danger'], [])).toBe(
      '2026-11-21 05:20 (Danger)',
    );
  });
});

test('what is for types of objects is for those that can have it; those that it is for already may stay', async () => {
  const given = {
    labelOf: () => undefined,
    featuresOf: (type: string) =>
      type === 'dcim.site'
        ? new Set<Feature>(['customLinks'])
        : type === 'users.token'
          ? new Set<Feature>()
          : undefined,
  };
  expect(await errorsOf(customLink, { object_types: ['dcim.site', 'no.such'] }, given)).toEqual({});
  expect(await errorsOf(customLink, { object_types: ['dcim.site', 'users.token'] }, given)).toEqual({
    object_types: ['Invalid content type: users.token'],
  });
  expect(
    await errorsOf(
      customLink,
      { object_types: ['users.token'] },
      { ...given, before: { object_types: ['users.token'] } },
    ),
  ).toEqual({});
});

test('a journal entry is signed by who writes it, once', async () => {
  const fresh: Values = { assigned_object_type: 'dcim.site', created_by: null };
  const old: Values = { ...fresh, created_by: 8 };
  await errorsOf(journalEntry, fresh);
  await errorsOf(journalEntry, old, { before: { created_by: null } });
  expect([fresh['created_by'], old['created_by']]).toEqual([7, null]);
});

describe('a config context', () => {
  const profile = { related: async () => ({ schema: { type: 'object', required: ['ntp'] } }) };
  test.each<[string, Values, Partial<RuleContext>, Errors]>([
    ['holds an object', { data: [1] }, {}, { data: ['JSON data must be in object form. Example: {"foo": 123}'] }],
    ['holds something', { data: null }, {}, { data: ['JSON data must be in object form. Example: {"foo": 123}'] }],
    ['is not empty', { data: {} }, {}, { data: ['This field cannot be blank.'] }],
    [
      'fits its profile',
      { data: { a: 1 }, profile: 1 },
      profile,
      { __all__: ["Data does not conform to profile schema: 'ntp' is a required property"] },
    ],
    ['that fits its profile', { data: { ntp: 1 }, profile: 1 }, profile, {}],
    ['without a profile', { data: { a: 1 } }, {}, {}],
    ['whose profile asks for nothing', { data: { a: 1 }, profile: 1 }, { related: async () => ({ schema: null }) }, {}],
  ])('%s', async (_, object, given, errors) => {
    expect(await errorsOf(configContext, object, given)).toEqual(errors);
  });
  test('is found by exactly what it is for', () => {
    expect(configContext.filters['region']).toEqual({ kind: 'related', path: ['regions'], by: 'slug' });
  });
  test('has tags by their slugs', () => {
    expect(parsed(configContext, 'tags', ['alpha', 3])).toEqual({
      references: [{ attributes: { slug: 'alpha' } }, { id: 3 }],
    });
  });
  test('profiles hold schemas', async () => {
    expect(await errorsOf(configContextProfile, { schema: { type: 'nothing' } })).toEqual({
      schema: [expect.stringMatching(/^Invalid JSON schema definition/)],
    });
    expect(await errorsOf(configContextProfile, { schema: null })).toEqual({});
  });
});

test('filters are saved as parameters, for some types', () => {
  expect(parsed(savedFilter, 'parameters', { status: ['active'] })).toEqual({ value: { status: ['active'] } });
  for (const wrong of [[], 'a=b', 7])
    expect(parsed(savedFilter, 'parameters', wrong)).toEqual({
      errors: ['Filter parameters must be stored as a dictionary of keyword arguments.'],
    });
  expect(parsed(savedFilter, 'object_types', [])).toEqual({ errors: ['This list may not be empty.'] });
});

test("what is usable is on, and shared or one's own", () => {
  const filter = savedFilter.filters['usable']!;
  const bound: unknown[] = [];
  const sql = (value: string) =>
    filter.kind === 'method' &&
    filter.sql(
      {
        table: 't',
        bind: (v) => {
          bound.push(v);
          return `$${bound.length}`;
        },
        tableOf: (type) => type,
        has: () => true,
        typeId,
        typeById: () => undefined,
        requester: 7,
      },
      [value],
    );
  expect([sql('true'), sql('false'), bound]).toEqual([
    '(t.enabled and (t.shared or t.user_id is not distinct from $1::bigint and t.user_id is not null))',
    'not (t.enabled and (t.shared or t.user_id is not distinct from $2::bigint and t.user_id is not null))',
    [7, 7],
  ]);
});

test('a table has columns', () => {
  expect(parsed(tableConfig, 'columns', ['name', ' status '])).toEqual({ value: ['name', 'status'] });
  expect(parsed(tableConfig, 'columns', ['', 'x'.repeat(101), {}])).toEqual({
    errors: {
      0: ['This field may not be blank.'],
      1: ['Ensure this field has no more than 100 characters.'],
      2: ['Not a valid string.'],
    },
  });
  expect(tableConfig.fields['ordering']!.nullable).toBe(true);
});

test('what is for types is called by its name, not by them', () => {
  for (const model of [customLink, exportTemplate, savedFilter]) expect(model.display.columns).toEqual(['name']);
});
