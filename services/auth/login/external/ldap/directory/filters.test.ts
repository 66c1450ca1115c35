import { expect, test } from '@jest/globals';
import { anyOf, filled, inChain, mentions, parseFilter } from './filters.ts';

const nobody = { user: '', dn: '' };

test('what comes at a login is put into a filter as values, whatever it is written with', () => {
  const filter = parseFilter('(&(objectClass=person)(|(uid=%(user)s)(mail=%(user)s@*))(!(x~=%(user)s)))');
  for (const user of ['alice', '*)(uid=*', 'a\\2ab', '%(dn)s', 'Jörg', '\u{E001}'])
    expect(filled(filter, { user, dn: 'cn=x' })).toEqual({
      type: 160,
      filters: [
        { type: 163, attribute: 'objectClass', value: 'person' },
        {
          type: 161,
          filters: [
            { type: 163, attribute: 'uid', value: user },
            { type: 164, attribute: 'mail', initial: `${user}@`, any: [], final: '' },
          ],
        },
        { type: 162, filter: { type: 168, attribute: 'x', value: user } },
      ],
    });
  expect(filled(parseFilter('(uid=*%(user)s*%(user)s)'), { user: '*', dn: '' })).toMatchObject({
    initial: '',
    any: ['*'],
    final: '*',
  });
});

test('a filter that has been filled is not changed by it', () => {
  const filter = parseFilter('uid=%(user)s');
  filled(filter, { user: 'alice', dn: '' });
  expect(filled(filter, { user: 'bob', dn: '' })).toMatchObject({ value: 'bob' });
});

test('escaped characters are those that they stand for', () => {
  expect(filled(parseFilter('(cn=J\\c3\\b6rg \\28x\\29\\2a)'), nobody)).toMatchObject({ value: 'Jörg (x)*' });
});

test('which placeholders a filter has', () => {
  const filter = parseFilter('(&(a=b)(!(member:1.2.3:=%(dn)s)))');
  expect([mentions(filter, 'dn'), mentions(filter, 'user')]).toEqual([true, false]);
  expect(mentions(parseFilter('(&(a>=%(user)s)(b<=1))'), 'user')).toBe(true);
});

test.each(['', '(uid=%(user)s', '(%(user)s=x)', '(uid)', '(&(uid=x)))'])('what is no filter: %s', (text) => {
  expect(() => parseFilter(text)).toThrow();
});

test('members of members, as Active Directory finds them', () => {
  const filter = inChain(parseFilter('(&(objectClass=group)(member=%(dn)s))'));
  expect(filled(filter, { user: '', dn: 'cn=a,dc=b' }).toString()).toBe(
    '(&(objectClass=group)(member:1.2.840.113556.1.4.1941:=cn=a,dc=b))',
  );
});

test('any of several', () => {
  const some = ['a', 'b'].map((user) => filled(parseFilter('(uid=%(user)s)'), { user, dn: '' }));
  expect([anyOf(some).toString(), anyOf(some.slice(1)).toString()]).toEqual(['(|(uid=a)(uid=b))', '(uid=b)']);
});
