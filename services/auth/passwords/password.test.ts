import { describe, expect, test } from '@jest/globals';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';

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

  test('are hashed anew where the cost is another one', async () => {
    const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 2 };
    const made = await hashPassword('Correct-Horse-9', cost);
    expect(made).toContain('$m=19456,p=2,t=2$');
    expect([isOutdated(made, cost), isOutdated(made, { ...cost, timeCost: 3 }), isOutdated(made)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await verifyPassword(made, 'Correct-Horse-9')).toBe(true);
    expect(isOutdated('!')).toBe(true);
  });
});
