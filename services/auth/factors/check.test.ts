import { createSeal } from '@cadastre/service/seal';
import { Secret } from '@cadastre/service/secret';
import { beforeEach, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { db, factors, limits, log, sql } from '../testing/database.ts';
import { checkFactor, kindOfCode, type Proof, placeOf } from './check.ts';
import { keep } from './enrolment.ts';
import { isRequired } from './required.ts';
import { resealFactors } from './reseal.ts';
import { codesOf, kindsOf, removeFactor, replaceCodes } from './store.ts';
import { newTotp } from './totp.ts';

const alice = { userId: 2, username: 'alice', address: '192.0.2.1' };
const admin = { userId: 1, username: 'admin', address: '192.0.2.1' };
const code = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
const check = (proof: Partial<Proof>, whose = alice, options = factors()) =>
  checkFactor(whose, { kind: 'totp', text: '', ...proof }, options);

async function app(userId = 2): Promise<{ secret: string; id: number }> {
  const { secret } = await newTotp('x');
  const sealed = factors().seal!.close(secret, placeOf(userId));
  return { secret, id: (await keep(db, userId, 'phone', { kind: 'totp', secret: sealed, step: 0 }))! };
}

beforeEach(async () => {
  for (const table of ['user_factor', 'recovery_code']) await sql(`delete from ${table}`);
});

test('a code counts once, and none from before it after it; each app has its own', async () => {
  const [one, other] = [await app(), await app()];
  expect(await check({ text: code(one.secret) })).toMatchObject({ ok: true, wait: 0 });
  for (const steps of [0, -1]) expect((await check({ text: code(one.secret, steps) })).ok).toBe(false);
  expect((await check({ text: code(other.secret) })).ok).toBe(true);
  expect((await check({ text: code(one.secret, 1) })).ok).toBe(true);
});

test('a code is of its user alone, and the secret opens in no other name', async () => {
  const { secret, id } = await app();
  expect((await check({ text: code(secret) }, admin)).ok).toBe(false);
  await sql('update user_factor set user_id = 1 where id = $1', [id]);
  expect((await check({ text: code(secret) }, admin)).ok).toBe(false);
});

test('without the key no code is right, and that is no fault', async () => {
  const { secret } = await app();
  const other = createSeal([new Secret('o'.repeat(32))]);
  for (const seal of [undefined, other])
    expect((await check({ text: code(secret) }, alice, { ...factors(), seal })).ok).toBe(false);
});

test('after too many wrong ones none counts, for this user alone; the user is told', async () => {
  const { secret } = await app();
  for (let i = 0; i < limits.factorAttempts; i++)
    expect(await check({ text: '000000' })).toMatchObject({ ok: false, wait: 0 });
  const { ok, wait } = await check({ text: code(secret) });
  expect([ok, wait > 0, wait <= limits.factorPauseSeconds]).toEqual([false, true, true]);
  const theirs = await app(1);
  expect((await check({ text: code(theirs.secret) }, admin)).ok).toBe(true);
  await sql("update failed_login set until = now() - interval '1 second'");
  expect(await checkFactor(alice, { kind: 'totp', text: code(secret) }, factors(), true)).toMatchObject({
    ok: true,
    failures: { count: limits.factorAttempts },
  });
});

test('a right one takes back what was counted before', async () => {
  const { secret } = await app();
  for (let i = 1; i < limits.factorAttempts; i++) await check({ text: '000000' });
  expect((await check({ text: code(secret) })).ok).toBe(true);
  for (let i = 1; i < limits.factorAttempts; i++) expect((await check({ text: '000000' })).wait).toBe(0);
});

test('guesses made at once are counted as well', async () => {
  await app();
  const all = await Promise.all(Array.from({ length: 8 }, () => check({ text: '000000' })));
  expect(all.filter(({ wait }) => wait === 0).length).toBe(limits.factorAttempts);
});

test('of the same code, given several times at once, one counts', async () => {
  const { secret } = await app();
  const [recovery] = await replaceCodes(db, 2);
  for (const proof of [{ text: code(secret) }, { kind: 'recovery', text: recovery! }] as const) {
    await sql('delete from failed_login');
    const all = await Promise.all(Array.from({ length: limits.factorAttempts }, () => check(proof)));
    expect(all.filter(({ ok }) => ok).length).toBe(1);
  }
});

test('a recovery code works once; a new set replaces the old one; they go with the last factor', async () => {
  const { id } = await app();
  const [first, second] = await replaceCodes(db, 2);
  const recovery = (text: string) => check({ kind: 'recovery', text });
  expect(kindOfCode(first!)).toBe('recovery');
  expect([(await recovery(first!)).ok, (await recovery(first!)).ok, await codesOf(db, 2)]).toEqual([
    true,
    false,
    { left: 9, of: 10 },
  ]);
  expect((await check({ kind: 'recovery', text: second! }, admin)).ok).toBe(false);
  await replaceCodes(db, 2);
  expect([(await recovery(second!)).ok, (await codesOf(db, 2)).left]).toEqual([false, 10]);
  expect(await kindsOf(db, 2)).toEqual(['totp', 'recovery']);
  expect(JSON.stringify(await sql('select * from recovery_code'))).not.toContain(
    first!.slice(0, 4) + first!.slice(5, 9),
  );
  expect([await removeFactor(db, 1, id), await removeFactor(db, 2, id)]).toEqual([undefined, 'totp']);
  expect([await codesOf(db, 2), await kindsOf(db, 2)]).toEqual([{ left: 0, of: 0 }, []]);
});

test('what no browser answers proves nothing', async () => {
  for (const text of ['', '{', 'null', '[]', '{"id": 7}', '{"id": "x\\u0000"}', '{"id": "unknown"}'])
    expect(
      (await check({ kind: 'passkey', text, challenge: 'c', base: 'http://localhost' }, { ...alice, userId: 2 })).ok,
    ).toBe(false);
}, 30_000);

test('who must have one, by the groups', async () => {
  expect([
    await isRequired(db, 2, ['netops']),
    await isRequired(db, 1, ['netops']),
    await isRequired(db, 2, ['others']),
    await isRequired(db, 1, ['*']),
    await isRequired(db, 1, []),
  ]).toEqual([true, false, false, true, false]);
});

test('a new key encrypts anew, and the old one is not needed any more', async () => {
  const { secret } = await app();
  const engine = { transact: (work: (client: unknown) => unknown) => work(db) };
  const config = { ...limits, factorKeys: [new Secret('n'.repeat(32)), ...limits.factorKeys] };
  await resealFactors({ engine, db, config, log } as never);
  const seal = createSeal([new Secret('n'.repeat(32))]);
  expect((await check({ text: code(secret) }, alice, { ...factors(), seal })).ok).toBe(true);
});
