import { expect, test } from '@jest/globals';
import type { Dict } from '@cadastre/model';
import { explained, type Ground, verdict } from './explained.ts';

const ground = (more: Partial<Ground> = {}): Ground => ({
  by: 'permission',
  id: 1,
  name: 'p',
  enabled: true,
  given: { user: true, groups: [] },
  constraints: null,
  ...more,
});
const user = { active: true, superuser: false };
/** An object that meets these conditions and no others. */
const meeting =
  (...held: string[]) =>
  async (constraint: Dict) =>
    Object.keys(constraint).every((name) => held.includes(name));

test('which constraint failed is told by its conditions', async () => {
  const constraints: Dict[] = [{ status: 'active', tenant__slug: 'acme' }, { name: 'x' }];
  expect(await explained(ground({ constraints }), meeting('status'))).toMatchObject({
    matches: false,
    constraints: [
      { constraint: constraints[0], matches: false, failed: ['tenant__slug'] },
      { constraint: constraints[1], matches: false, failed: ['name'] },
    ],
  });
  expect(await explained(ground({ constraints }), meeting('name'))).toMatchObject({
    matches: true,
    constraints: [{ failed: ['status', 'tenant__slug'] }, { matches: true, failed: [] }],
  });
});

test('without an object nothing is tried', async () => {
  const all = await explained(ground({ constraints: [{ name: 'x' }] }), undefined);
  expect(all).toMatchObject({ matches: null, constraints: [{ matches: null, failed: [] }] });
  expect(verdict(user, [all])).toMatchObject({ allowed: null });
});

test.each<[string, Parameters<typeof verdict>[0], Partial<Ground>[], boolean | null, RegExp]>([
  ['an account that is not active', { active: false, superuser: true }, [{}], false, /not active/],
  ['a superuser', { active: true, superuser: true }, [], true, /superuser/],
  ['nobody gave anything', user, [], false, /No permission/],
  ['only what is disabled', user, [{ enabled: false }], false, /not enabled/],
  ['one without conditions', user, [{ constraints: [{ name: 'x' }] }, {}], true, /“p” is for all/],
  ['one that matches', user, [{ constraints: [{ status: 1 }] }], true, /matches the permission “p”/],
  ['one that does not', user, [{ constraints: [{ name: 'x' }] }], false, /matches none/],
  ['what everybody may', user, [{ by: 'default' }], true, /DEFAULT_PERMISSIONS/],
  ['what is exempt', user, [{ by: 'exempt' }], true, /EXEMPT_VIEW_PERMISSIONS/],
])('%s', async (_, account, grounds, allowed, reason) => {
  const all = await Promise.all(grounds.map((one) => explained(ground(one), meeting('status'))));
  expect(verdict(account, all)).toEqual({ allowed, reason: expect.stringMatching(reason) });
});
