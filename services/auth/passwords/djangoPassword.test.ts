import { describe, expect, test } from '@jest/globals';
import { verifyDjangoPassword } from './djangoPassword.ts';
import { isOutdated, verifyPassword } from './password.ts';

const password = 'Grüße-an-Ada-9';
// Made by Django 5.2 with little work, so that the tests are quick.
const hashes = [
  'pbkdf2_sha256$1000$aSaltOfItsOwn$+eX9BDHu+pPdKgnqeKG4BhT1glExP1R7tJKeBdnkGLY=',
  'pbkdf2_sha1$1000$aSaltOfItsOwn$z11gF1wT8TMty3vRUl8pl95D0gk=',
  'argon2$argon2id$v=19$m=1024,t=2,p=8$MXdTamk0bjZqMVVrNnF5b1RMTmxDZA$JPUK/8Brm93J74qqFKXb0TuRbHrczgBHshC/LuTqpPk',
  'bcrypt_sha256$$2b$06$09zTXSZ3QoqHeR5YsEPpOegumGsrse0ouP.TreiLfkUfi2SSxGLC.',
  'bcrypt$$2b$06$WLqeB.Pcd19cjUZIDOohlOlpknguxJ1ZUvT5dagX/l1y3AmfzTYHi',
  'scrypt$4096$aSaltOfItsOwn$8$5$dmyvbQSsivr5zk+fGjSwDNMzvGgEo0KOMpUzjNgcUI+1ti6Iv63m2nZ1PTh/9xqrhqFDFUmmPuiPMkfeIgI6xw==',
];

describe.each(hashes)('%.20s', (stored) => {
  test('fits its password and no other, and is to be replaced at the next login', async () => {
    expect(await verifyPassword(stored, password)).toBe(true);
    expect(await verifyPassword(stored, `${password} `)).toBe(false);
    expect(await verifyPassword(stored, '')).toBe(false);
    expect(isOutdated(stored)).toBe(true);
  });

  test('fits nothing when its end is missing', async () => {
    for (const part of [stored.slice(0, -8), stored.slice(0, stored.lastIndexOf('$') + 1), stored.split('$')[0]!])
      expect(await verifyPassword(part, password)).toBe(false);
  });
});

test('what is no hash of Django is left to others', () => {
  for (const stored of ['', '!', '!sK5PeNjEqxDSkN9IqnBQ6Kks1k', '$argon2id$v=19$m=65536', 'md5$salt$hash', 'nobody'])
    expect(verifyDjangoPassword(stored, password)).toBeUndefined();
});

test('a hash that asks for more work than a server can bear fits nothing, at once', async () => {
  for (const stored of [
    'pbkdf2_sha256$4000000000$salt$AAAA',
    'pbkdf2_sha256$x$salt$AAAA',
    'pbkdf2_sha1$-1$salt$AAAA',
    'scrypt$1073741824$salt$8$1$AAAA',
    'scrypt$1000$salt$8$1$AAAA',
    'scrypt$16384$salt$8$100000$AAAA',
    'bcrypt$$2b$31$WLqeB.Pcd19cjUZIDOohlOlpknguxJ1ZUvT5dagX/l1y3AmfzTYHi',
  ])
    expect(await verifyPassword(stored, password)).toBe(false);
});
