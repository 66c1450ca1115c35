import { expect, test } from '@jest/globals';
import { useSystem } from './support/system.ts';
import { unique } from './support/unique.ts';

const used = useSystem();
const users = '/api/users/users/', password = 'Correct horse battery 1';

test('names of users do not differ by their case alone', async () => {
  const username = unique('ann'), ann = await used.admin.make(users, { username, password });
  const upper = await used.admin.post(users, { username: username.toUpperCase(), password });
  expect([upper.status, upper.body]).toEqual([400, { __all__: ['A user with this username already exists.'] }]);
  expect((await used.admin.post(users, { username, password })).body).toEqual({ username: ['user with this username already exists.'] });
  expect((await used.admin.patch(`${users}${ann.id}/`, { username: username.toUpperCase() })).status).toBe(200);
});
