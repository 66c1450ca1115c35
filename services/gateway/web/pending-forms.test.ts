import { expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { pendingForms } from './pending-forms.ts';

const secret = new Secret('s'.repeat(32));
const kept = { to: '/dcim/sites/add/?region=7', fields: [['name', 'äöü 漢字']] as [string, string][] };

/** A fake auth that stores forms, up to a number. */
function keeping(room = 10) {
  const all = new Map<string, string>();
  return {
    all,
    auth: {
      SavePendingForm: async ({ key, content }: { key: string; content: string }) => ({
        saved: all.size < room && all.set(key, content) === all,
      }),
      TakePendingForm: async ({ key }: { key: string }) => {
        const content = all.get(key) ?? '';
        all.delete(key);
        return { content };
      },
    },
  };
}

test('what is set aside comes back as it was, once, and nobody reads it meanwhile', async () => {
  const { all, auth } = keeping();
  const { store, take } = pendingForms(secret, auth);
  const key = await store(kept, '192.0.2.1');
  const stored = Buffer.from(all.get(key)!.split('.').join(''), 'base64url').toString('latin1');
  expect([stored.includes('region'), stored.includes('name')]).toEqual([false, false]);
  expect([await take(key), await take(key)]).toEqual([kept, undefined]);
});

test('what was not encrypted here is none', async () => {
  const { all, auth } = keeping();
  const { store, take } = pendingForms(secret, auth);
  const key = await pendingForms(new Secret('t'.repeat(32)), auth).store(kept, '');
  expect(await take(key)).toBeUndefined();
  all.set('x', JSON.stringify(kept));
  expect(await take('x')).toBeUndefined();
  const other = await store(kept, '');
  all.set(other, `${all.get(other)!.slice(0, -2)}AA`);
  expect(await take(other)).toBeUndefined();
});

test('where there is no room, somebody hears of it', async () => {
  const { store } = pendingForms(secret, keeping(0).auth);
  await expect(store(kept, '')).rejects.toMatchObject({ status: 503 });
});
