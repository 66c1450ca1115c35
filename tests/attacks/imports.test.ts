import { beforeAll, expect, test } from '@jest/globals';
import { hostileProgress, hostileTexts } from '../support/objects/imports.ts';
import { useSystem } from '../support/system.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
const path = '/dcim/sites/import/';
let names: string[];
let maker: Session;
let reader: Session;
beforeAll(async () => {
  const { name } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view', 'delete'] });
  const { name: other } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view', 'add', 'change'] });
  names = [name, other];
  maker = await logIn(used.system.base, other, 'Correct-Horse-9');
  reader = await logIn(used.system.base, name, 'Correct-Horse-9');
});

/** Sends a file, as browsers do. */
async function sent(who: Session, text: string | undefined, more: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ csrf_token: await who.csrfToken(path), _import: '1', ...more }))
    form.set(name, value);
  if (text !== undefined) form.set('file', new Blob([text]), 'a.txt');
  const answer = await fetch(used.system.base + path, { method: 'POST', body: form, headers: { cookie: who.cookie } });
  return { status: answer.status, retry: answer.headers.get('retry-after'), html: await answer.text() };
}
const said = (html: string): string => /<table class="list problems">[\s\S]*?<\/table>/.exec(html)?.[0] ?? '';
/** What the two users have written; other tests make sites at the same time. */
const written = async (): Promise<number> =>
  (await used.admin.read(`/api/core/object-changes/?limit=1&${names.map((one) => `user_name=${one}`).join('&')}`))
    .count;

test.each(Object.keys(hostileTexts))('%s is refused, whoever sends it, and says why', async (kind) => {
  const text = hostileTexts[kind]!();
  const before = await written();
  const [theirs, ours] = [await sent(reader, text), await sent(maker, text)];
  expect([theirs.status, theirs.html.includes('You may neither make nor change such objects.')]).toEqual([403, true]);
  // An import that takes a while is answered by a page that is sent as it grows.
  expect([200, 400]).toContain(ours.status);
  expect(said(ours.html)).not.toBe('');
  expect(ours.html).not.toMatch(/\[object|undefined|NaN/);
  expect(await written()).toBe(before);
});

test.each(Object.keys(hostileProgress))('the progress of an import is made up: %s', async (kind) => {
  const [progress, portion] = hostileProgress[kind]!();
  const before = await written();
  const { status, html } = await sent(maker, undefined, { progress, portion });
  expect([kind, status]).toEqual([kind, 400]);
  expect(html).not.toMatch(/\[object|undefined|NaN/);
  expect(await written()).toBe(before);
  expect((await sent(reader, undefined, { progress, portion })).status).toBe(403);
});

test('of long texts one user has so many read at a time, and others have theirs', async () => {
  const slow = hostileTexts['documents of YAML, a hundred thousand']!();
  const { name } = await userWith(used.admin, { types: ['dcim.site'], actions: ['add'] });
  const greedy = await logIn(used.system.base, name, 'Correct-Horse-9');
  const answers = await Promise.all(Array.from({ length: 12 }, () => sent(greedy, slow)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => ![200, 400, 429].includes(status))).toEqual([]);
  const [refused] = answers.filter(({ status }) => status === 429);
  expect(refused).toMatchObject({ retry: '5', html: expect.stringContaining('You have too many imports') });
  expect((await sent(maker, 'name,slug\n,')).status).toBe(400);
});
