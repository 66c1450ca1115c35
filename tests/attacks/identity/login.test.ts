import { expect, test } from '@jest/globals';
import type { Answer } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { logIn } from '../../support/pages/visitor.ts';

const used = useSystem();
const right = 'Correct-Horse-9';
const path = '/api/users/tokens/provision/';
const admitted = 10;

/** An address that no other test uses. */
let last = 0;
const base = `198.18.${Math.floor(Math.random() * 256)}`;
const nextAddress = (): string => `${base}.${(last += 1)}`;
const from = (address: string) => ({ 'X-Forwarded-For': address });
const provision = (username: string, password: string, address: string): Promise<Answer> =>
  used.admin.as().post(path, { username, password }, from(address));
const person = async (): Promise<string> => {
  const username = unique('user');
  await used.admin.make('/api/users/users/', { username, password: right });
  return username;
};
const count = (answers: readonly Answer[], status: number) => answers.filter((one) => one.status === status).length;

test('the right password is not told from wrong ones among guesses that arrive at once', async () => {
  const user = await person();
  const address = nextAddress();
  for (let wrong = 0; wrong < admitted; wrong += 1) await provision(user, 'wrong', address);
  // The first pause may end while the guesses arrive; then they count as at most ten again.
  const guesses = Array.from({ length: 15 }, (_, i) => (i === 8 ? right : `guess ${i}`));
  const answers = await Promise.all(guesses.map((guess) => provision(user, guess, address)));
  expect(answers.map(({ status }) => status)).toEqual(guesses.map(() => 429));
  expect(new Set(answers.map(({ body }) => body.detail.replace(/\d+/, 'n'))).size).toBe(1);
});

test('guesses that arrive at once are no more than guesses one after the other, by either way in', async () => {
  const user = await person();
  const address = nextAddress();
  const byPage = (password: string) =>
    logIn(used.system.base, user, password, undefined, from(address)).then(({ status }) => ({ status }) as Answer);
  const answers = [
    ...(await Promise.all(
      Array.from({ length: 16 }, (_, i) => (i % 2 ? byPage(`guess ${i}`) : provision(user, `guess ${i}`, address))),
    )),
  ];
  // Checked, refused, or told to come again as too many came at once: none of them reveals whether the password is
  // right.
  expect(answers.map(({ status }) => status).filter((status) => ![403, 429, 503].includes(status))).toEqual([]);
  expect(count(answers, 403)).toBeLessThanOrEqual(admitted);
  for (let i = count(answers, 403); i < admitted; i += 1) await provision(user, 'wrong', address);
  expect((await provision(user, right, address)).status).toBe(429);
});

test('many who log in rightly at the same time do not refuse each other', async () => {
  const user = await person();
  const address = nextAddress();
  const answers = await Promise.all(Array.from({ length: 14 }, () => provision(user, right, address)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 14 }, () => 201));
});

test('guesses from many addresses end, and the user keeps the way in from where they log in, and hears of it', async () => {
  const user = await person();
  const home = nextAddress();
  const { body: token } = await provision(user, right, home);
  const client = used.admin.as(`Bearer svc_${token.key}.${token.token}`);
  const guessers = Array.from({ length: 7 }, nextAddress);
  const answers = (
    await Promise.all(
      guessers.map(async (address) => {
        const own: Answer[] = [];
        for (let i = 0; i < 8; i += 1) own.push(await provision(user, 'wrong', address));
        return own;
      }),
    )
  ).flat();
  expect([count(answers, 403), count(answers, 429)]).toEqual([50, 6]);
  await eventually(async () =>
    expect((await client.read('/api/extras/notifications/')).results).toEqual([
      expect.objectContaining({ object_type: 'users.user', object_id: token.user.id, read: null }),
    ]),
  );
  const elsewhere = await provision(user, right, nextAddress());
  expect([elsewhere.status, Number(elsewhere.headers.get('retry-after')) > 60]).toEqual([429, true]);
  const page = await logIn(used.system.base, user, right, undefined, from(home));
  expect(page.status).toBe(303);
  const told = await fetch(`${used.system.base}${page.location!}`, { headers: { cookie: page.cookies } });
  expect(await told.text()).toMatch(
    /Since you last logged in, 50 attempts to log in with your name failed, the last on .* from 198\.18\./,
  );
  // A client elsewhere that only knows the user name is still refused, although the user has logged in.
  expect((await provision(user, right, nextAddress())).status).toBe(429);
  await provision(user, 'wrong', home);
  const next = await provision(user, right, home);
  expect([next.status, next.headers.get('x-failed-logins')]).toEqual([
    201,
    expect.stringMatching(new RegExp(`^1; last=[-\\d]+T[:.\\d]+Z; from=${home}$`)),
  ]);
  expect((await provision(user, right, home)).headers.get('x-failed-logins')).toBeNull();
});

test('a name that nobody has is treated like one that somebody has', async () => {
  const user = await person();
  const nobody = unique('nobody');
  const seen = async (name: string) => {
    const address = nextAddress();
    const answers: Answer[] = [];
    for (let i = 0; i <= admitted; i += 1) answers.push(await provision(name, 'wrong', address));
    return answers.map(({ status, body }) => [status, body.detail.replace(/\d+/, 'n')]);
  };
  expect(await seen(nobody)).toEqual(await seen(user));
});
