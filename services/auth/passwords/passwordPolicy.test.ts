import { describe, expect, test } from '@jest/globals';
import type { Values } from '@cadastre/model';
import { passwordProblems, toldPolicy } from './passwordPolicy.ts';

const usual = {
  passwordMinLength: 12,
  passwordMaxLength: 128,
  passwordCharacterClasses: true,
  passwordRefuseGuessable: true,
};
const common = ['This password is too common.'];
const ada = { username: 'ada.babbington', first_name: 'Wilhelmina', last_name: 'King', email: 'countess@example.com' };
const like = (name: string): string[] => [`The password is too similar to the ${name}.`];

describe('a new password', () => {
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
    [`Aa1${'🐎'.repeat(125)}`, []],
    [`Aa1${'🐎'.repeat(126)}`, ['This password is too long. It must contain at most 128 characters.']],
  ])('is as long as it should be and mixed: %s', async (password, problems) =>
    expect(await passwordProblems(password, usual)).toEqual(problems),
  );

  test.each([
    ['Password1234', common],
    ['PASSWORDpassword1', common],
    ['!!P@ssw0rd2026', common],
    ['Administrator1', common],
    ['2026-Dragon-!!', []],
    ['Dragon-28374651', []],
    ['My-Dragon-Likes-7', []],
    ['Qwertyuiop123!', common],
  ])('is not common, nor that with little around it: %s', async (password, problems) =>
    expect(await passwordProblems(password, usual)).toEqual(problems),
  );

  test.each([
    ['Ada.Babbington1', like('username')],
    ['n0tgnibbab-ADA', like('username')],
    ['Babbington-2026', like('username')],
    ['8abb1ngt0n-Babb1ngt0n', like('username')],
    ['9-Wilhelmina-26', like('first name')],
    ['12!Countess!X', like('email address')],
    ['WilhelminA-Babbington-1', [...like('username'), ...like('first name')]],
    // A name within a much longer password does no harm, nor does a short name.
    ['Babbington-and-Lovelace-1', []],
    ['King-Kong-2026', []],
    ['Example-Corp-2026', []],
  ])('is not made of the names of its user: %s', async (password, problems) =>
    expect(await passwordProblems(password, usual, ada)).toEqual(problems),
  );

  test('is measured as the settings say', async () => {
    const mild = {
      passwordMinLength: 8,
      passwordMaxLength: 9,
      passwordCharacterClasses: false,
      passwordRefuseGuessable: false,
    };
    expect(await passwordProblems('password', mild, { username: 'password' })).toEqual([]);
    expect(await passwordProblems('passwor', mild)).toEqual([expect.stringContaining('at least 8')]);
    expect(await passwordProblems('passwordpa', mild)).toEqual([expect.stringContaining('at most 9')]);
    expect(await passwordProblems('password', { ...mild, passwordRefuseGuessable: true })).toEqual(common);
    expect(toldPolicy(mild)).toEqual({
      min_length: 8,
      max_length: 9,
      character_classes: false,
      refuses_guessable: false,
    });
  });

  test('may have come with less of a user than names', async () => {
    const users: Values[] = [{ username: 7 }, { email: null }, { first_name: '' }, { username: '....' }];
    for (const user of users) expect(await passwordProblems('Correct-Horse-9', usual, user)).toEqual([]);
  });
});
