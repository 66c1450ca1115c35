import { expect, test } from '@jest/globals';
import { comparable, dnBelow, isIn, parseDnTemplate } from './names.ts';

test.each([
  ['uid=%(user)s,ou=people,dc=example,dc=com', { attribute: 'uid', parent: 'ou=people,dc=example,dc=com' }],
  [' cn = %(user)s , dc=example', { attribute: 'cn', parent: 'dc=example' }],
  ['%(user)s', null],
  ['%(user)s@example.com', null],
  ['uid=%(user)s', null],
  ['uid=x-%(user)s,dc=example', null],
  ['uid=%(user)s,ou=%(user)s,dc=example', null],
  ['uid=alice,dc=example', null],
])('%s', (text, template) => {
  expect(parseDnTemplate(text)).toEqual(template);
});

test('a name stays within its part of a DN', () => {
  expect(dnBelow('uid', 'alice', 'dc=example')).toBe('uid=alice,dc=example');
  expect(dnBelow('uid', 'a,ou=admins+b="c"\\;<>#', 'dc=example')).toBe(
    'uid=a\\,ou\\=admins\\+b\\=\\"c\\"\\\\\\;\\<\\>\\#,dc=example',
  );
});

test('DNs are compared as directories do', () => {
  expect(comparable('CN=Net Ops, OU=Groups ,DC=Example')).toBe('cn=net ops,ou=groups,dc=example');
  expect(comparable('cn=a\\, b,dc=x')).not.toBe(comparable('cn=a,b,dc=x'));
});

test('a group is meant by its DN or by its name', () => {
  const groups = [{ dn: 'cn=Ops,ou=Groups,dc=example', name: 'Ops' }];
  const within = (...wanted: string[]) => isIn(groups, wanted);
  expect([within('CN=ops, OU=groups, DC=example'), within('Ops'), within('x', 'Ops')]).toEqual([true, true, true]);
  expect([within(), within('cn=ops,ou=others,dc=example'), within('Op')]).toEqual([false, false, false]);
  const dn = 'cn=ops,ou=groups,dc=example';
  expect(isIn([{ dn: 'cn=mine,ou=own,dc=example', name: dn }], [dn])).toBe(false);
});
