import { describe, expect, test } from '@jest/globals';
import { hashPassword, passwordProblems, verifyPassword } from './password.ts';

describe('passwords', () => {
  test('are stored with argon2id, each with its own salt', async () => {
    const [one, two] = await Promise.all([hashPassword('Correct-Horse-9'), hashPassword('Correct-Horse-9')]);
    expect(one).toMatch(/^\$argon2id\$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword(one, 'Correct-Horse-9')).toBe(true);
    expect(await verifyPassword(one, 'correct-horse-9')).toBe(false);
  });

  test('nothing fits a user who does not exist or has no usable hash', async () => {
    for (const stored of [null, '', '!', 'nobody', '$argon2id$broken'])
      expect(await verifyPassword(stored, 'nobody')).toBe(false);
  });

  test.each([
    ['Correct-Horse-9', []],
    [
      'a',
      [
        'This password is too short. It must contain at least 12 characters.',
        'Password must have at least one numeral.',
      ],
    ],
    ['correct-horse-9', ['Password must have at least one uppercase letter.']],
    ['CORRECT-HORSE-9', ['Password must have at least one lowercase letter.']],
    ['Correct-Horse', ['Password must have at least one numeral.']],
    ['Ab9', ['This password is too short. It must contain at least 12 characters.']],
  ])('%s', (password, problems) => expect(passwordProblems(password)).toEqual(problems));
});
