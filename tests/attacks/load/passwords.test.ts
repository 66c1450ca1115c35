import { expect, test } from '@jest/globals';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { type Asked, crowd, everyday, expectCalm } from './p99.ts';

const used = useSystem();
const sites = { types: ['dcim.site', 'ipam.prefix', 'extras.tag', 'dcim.device', 'users.token'], actions: ['view'] };

/** A token that no gateway has cached, so that each of these requests has it verified. */
async function unseen(): Promise<Asked[]> {
  const others: Asked[] = [];
  for (let i = 0; i < 4; i += 1) others.push(...everyday((await userWith(used.admin, sites)).client));
  return others;
}

test('200 logins at a time, right and wrong ones, from many addresses', async () => {
  const others = await unseen();
  const name = unique('user');
  await used.admin.make('/api/users/users/', { username: name, password: 'Correct-Horse-9' });
  const measured = await expectCalm({
    system: used.system,
    others,
    underway: 50,
    attack: (attacking) =>
      crowd(200, attacking, async (one) => {
        const { status, headers } = await used.admin
          .as()
          .post(
            '/api/users/tokens/provision/',
            { username: one % 2 ? name : unique('nobody'), password: one % 3 ? 'wrong' : 'Correct-Horse-9' },
            { 'X-Forwarded-For': `198.19.${one}.${1 + Math.floor(Math.random() * 250)}` },
          );
        if (status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/);
        attacking.count(String(status));
      }),
  });
  // Most find no free place in the queue.
  expect(measured.blows['503']).toBeGreaterThan(0);
}, 400_000);

test('100 changes of passwords at a time', async () => {
  const others = await unseen();
  const { id } = await used.admin.make('/api/users/users/', { username: unique('user'), password: 'Correct-Horse-9' });
  await expectCalm({
    system: used.system,
    others,
    underway: 20,
    attack: (attacking) =>
      crowd(100, attacking, async () => {
        const { status } = await used.admin.patch(`/api/users/users/${id}/`, {
          password: `Correct-Horse-${Math.random()}`,
        });
        attacking.count(String(status));
      }),
  });
}, 400_000);
