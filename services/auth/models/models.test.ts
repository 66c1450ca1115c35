import {
  columnsOf,
  type Errors,
  isReplicated,
  type Json,
  type Model,
  members,
  type RuleContext,
  type Values,
} from '@cadastre/model';
import { describe, expect, test } from '@jest/globals';
import { group } from './group.ts';
import { objectPermission } from './objectPermission.ts';
import { type Tokens, token } from './token.ts';
import { type Passwords, user } from './user.ts';

const passwords: Passwords = {
  problems: async (p, { username }) => [
    ...(p.length < 12 ? ['too short'] : []),
    ...(username === p ? ['is the name'] : []),
  ],
  none: 'none at all',
  hash: async (p) => `hashed ${p}`,
};
const tokens: Tokens = {
  most: 3,
  maxDays: 0,
  hasPepper: (id) => id === 1,
  make: (version, plaintext = 'made') => ({
    plaintext,
    stored: { version, key: version === 2 ? 'key' : null, checksum: version === 1 ? `of ${plaintext}` : null },
  }),
};
const facilities: Record<string, unknown> = {
  passwords,
  tokens,
  constraints: { problems: () => ['status2: no such field'] },
};

const context = (before: Values | null = null): RuleContext => ({
  before,
  given: {},
  related: async () => null,
  isBelow: async () => false,
  requester: { userId: 1 },
  among: [],
  found: async () => [],
  displayOf: async () => '',
  held: async () => null,
  current: async () => null,
  labelOf: () => undefined,
  featuresOf: () => undefined,
  service: <T>(name: string) => facilities[name] as T,
});

async function errorsOf(model: Model, object: Values, before: Values | null = null, ahead?: Values): Promise<Errors> {
  let errors: Errors = {};
  for (const rule of model.rules) errors = { ...errors, ...(await rule(object, { ...context(before), ahead })) };
  return errors;
}

test('tables and columns are those that the verification of tokens reads', () => {
  const columns = (model: Model) => columnsOf(model).map((c) => `${c.name} ${c.type}`);
  expect(columns(user)).toEqual(
    expect.arrayContaining([
      'groups bigint[]',
      'object_permissions bigint[]',
      'is_superuser boolean',
      'password varchar(128)',
    ]),
  );
  expect(columns(group)).toContain('object_permissions bigint[]');
  expect(columns(token)).toEqual(
    expect.arrayContaining([
      'user_id bigint',
      'hmac_digest varchar(64)',
      'checksum varchar(64)',
      'allowed_ips varchar(43)[]',
      'pepper_id smallint',
    ]),
  );
  expect([user.table, group.table, token.table, objectPermission.table]).toEqual([
    'users_user',
    'users_group',
    'users_token',
    'users_objectpermission',
  ]);
});

describe('a user', () => {
  test('shows neither password nor rank, and neither leaves the service', () => {
    expect(members(user, 'complete')).not.toEqual(expect.arrayContaining(['password']));
    expect(members(user, 'complete')).not.toContain('is_superuser');
    expect(isReplicated('password', user.fields['password']!)).toBe(false);
    expect(user.filters).not.toHaveProperty('password');
  });

  test('has a strong password, stored as a hash, and hashed once', async () => {
    expect(await errorsOf(user, { password: 'a' })).toEqual({ non_field_errors: ['too short'] });
    const object: Values = { password: 'Correct-Horse-9' };
    const ahead = await user.ahead!(object, context());
    expect(await user.ahead!({ password: 'a' }, context())).toBeUndefined();
    const none: Values = { password: passwords.none };
    expect(await errorsOf(user, none, null, await user.ahead!(none, context()))).toEqual({});
    expect(none['password']).toBe('!machine');
    const username = 'correct-horse-9';
    expect(await errorsOf(user, { username, password: username })).toEqual({ non_field_errors: ['is the name'] });
    expect(await errorsOf(user, object, null, ahead)).toEqual({});
    expect(object['password']).toBe('hashed Correct-Horse-9');
    await errorsOf(user, object, { ...object });
    expect(object['password']).toBe('hashed Correct-Horse-9');
  });

  test('comes by an import with the hash that he had, or without one', async () => {
    const importing = { ...context(), importing: true };
    const object: Values = { username: 'a', password: 'pbkdf2_sha256$1$a$b' };
    const without: Values = { username: 'b' };
    const [rule] = user.rules;
    expect(await rule!(object, importing)).toBeUndefined();
    expect(await rule!(without, importing)).toEqual({ password: [expect.stringContaining('No password came')] });
    expect([object['password'], without['password']]).toEqual(['pbkdf2_sha256$1$a$b', '!']);
  });

  test('is called by name and username', () => {
    expect(user.display.text(['alice', 'Alice', ''])).toBe('alice (Alice)');
    expect(user.display.text(['bob', '', ''])).toBe('bob');
  });
});

describe('a token', () => {
  test('must not have expired when it is made, but may when it is changed', async () => {
    const expired: Values = { version: 2, expires: '2020-01-01T00:00:00.000000+00', user: 1 };
    expect(await errorsOf(token, { ...expired })).toEqual({
      expires: [
        expect.stringMatching(
          /^Expiration time must be in the future\. Current server time is \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\)\.$/,
        ),
      ],
    });
    expect(await errorsOf(token, { ...expired }, expired)).toEqual({});
    expect(await errorsOf(token, { ...expired, expires: '2999-01-01T00:00:00.000000+02' })).toEqual({});
  });

  test("is made once, keeps its version, and stays its user's", async () => {
    const made: Values = { version: 2, user: 1 };
    await errorsOf(token, made);
    expect(made).toMatchObject({ key: 'key', token: 'made', checksum: null });
    const changed: Values = { ...made, version: 1, user: 2 };
    expect(await errorsOf(token, changed, made)).toEqual({ version: ['The version of a token cannot be changed.'] });
    expect(changed['user']).toBe(1);
  });

  test('comes by an import with what verifies it; what cannot is said', async () => {
    const importing = { ...context(), importing: true };
    const saidOf = async (object: Values): Promise<Errors> => {
      let said: Errors = {};
      for (const rule of token.rules) said = { ...said, ...(await rule(object, importing)) };
      return said;
    };
    const second = { version: 2, user: 1, key: 'abc', hmac_digest: 'f', pepper_id: 1 };
    const same: Values = { ...second };
    expect([await saidOf(same), same]).toEqual([{}, second]);
    expect(await saidOf({ ...second, pepper_id: 9 })).toEqual({ pepper_id: [expect.stringContaining('pepper 9')] });
    await expect(saidOf({ ...second, hmac_digest: null })).rejects.toThrow('verified');
    const first: Values = { version: 1, user: 1, token: 'x'.repeat(40) };
    await saidOf(first);
    expect(first).toMatchObject({ checksum: `of ${'x'.repeat(40)}`, key: null });
  });

  test('is shown in lists without its secret', () => {
    expect(token.fields['token']!.computed!.print([])).toBe('null');
    expect(token.fields['token']!.column).toBeUndefined();
    expect(token.display.text([null, '7LTVPI'])).toBe('**********************************7LTVPI');
  });

  test.each<[Json, Json]>([
    ['10.0.0.1', '10.0.0.1/32'],
    ['127.0.0.0/8', '127.0.0.0/8'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['::1', '::1/128'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1/128'],
    ['::FFFF:c000:201', '::ffff:192.0.2.1/128'],
    ['::ffff:0:0/96', '::ffff:0.0.0.0/96'],
  ])('may be bound to %s', (given, stored) => {
    expect(token.fields['allowed_ips']!.parse!([given], { knowsObjectType: () => true })).toEqual({ value: [stored] });
  });

  test.each<Json>(['bad', '10.0.0.0/33', '1', '10.0.0.1/8/8', 7, ''])('cannot be bound to %j', (given) => {
    expect(token.fields['allowed_ips']!.parse!([given], { knowsObjectType: () => true })).toHaveProperty('errors.0');
  });
});

test("a permission's constraints are attributes, and attributes that exist", async () => {
  expect(await errorsOf(objectPermission, { object_types: ['dcim.site'], constraints: 'x' })).toHaveProperty(
    'constraints',
  );
  expect(await errorsOf(objectPermission, { object_types: ['dcim.site'], constraints: { status2: 1 } })).toEqual({
    constraints: ['status2: no such field'],
  });
  expect(await errorsOf(objectPermission, { object_types: ['dcim.site'], constraints: null })).toEqual({});
});
