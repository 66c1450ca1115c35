import { expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { codeIn, newTotp, stepOf } from './totp.ts';

const at = (step: number): number => step * 30_000 + 1;
const now = 59_000_000;

test('a new secret is one that apps understand', async () => {
  const { secret, uri, qr } = await newTotp('ada');
  expect([secret.length, qr.startsWith('<svg')]).toEqual([32, true]);
  const { protocol, searchParams } = new URL(uri);
  expect([protocol, searchParams.get('secret'), searchParams.get('issuer')]).toEqual(['otpauth:', secret, 'Cadastre']);
  expect(decodeURIComponent(uri)).toContain('Cadastre:ada');
  expect((await newTotp('ada')).secret).not.toBe(secret);
});

test('a code is of its step, as far away as the window reaches', async () => {
  const { secret } = await newTotp('ada');
  const code = (step: number) => new TOTP({ secret }).generate({ timestamp: at(step) });
  for (const near of [now - 1, now, now + 1]) expect(await stepOf(secret, code(near), 1, at(now))).toBe(near);
  for (const far of [now - 3, now + 3]) expect(await stepOf(secret, code(far), 1, at(now))).toBeNull();
  expect(await stepOf(secret, code(now + 3), 3, at(now))).toBe(now + 3);
  expect([await stepOf(secret, code(now), 0, at(now)), await stepOf(secret, code(now - 1), 0, at(now))]).toEqual([
    now,
    null,
  ]);
});

test('codes are read as people type them', () => {
  expect([' 123 456 ', '123-456', '123456'].map(codeIn)).toEqual(['123456', '123456', '123456']);
  expect(['', '12345', '1234567', '12345a', '１２３４５６'].map(codeIn)).toEqual(Array(5).fill(undefined));
});
