import { expect, test } from '@jest/globals';
import { Refusal } from './errors.ts';
import { ANYBODY } from './requester.ts';
import { REAUTHENTICATION_REQUIRED, requireReauthentication, requireReauthenticationFor } from './reauthentication.ts';

const refusalOf = (act: () => void): unknown => {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Refusal ? [error.status, (error.body as { code: string }).code] : error;
  }
};
const now = Date.now() / 1000;
const refused = [403, REAUTHENTICATION_REQUIRED];

test('a proof counts for its time; tokens need none', () => {
  expect(refusalOf(() => requireReauthentication({}))).toBeUndefined();
  expect(refusalOf(() => requireReauthentication({ provenUntil: now + 60 }))).toBeUndefined();
  expect(refusalOf(() => requireReauthentication({ provenUntil: now - 1 }))).toEqual(refused);
});

test('only models that say so want one', () => {
  const late = { ...ANYBODY, provenUntil: now - 1 };
  expect(refusalOf(() => requireReauthenticationFor({}, late))).toBeUndefined();
  expect(refusalOf(() => requireReauthenticationFor({ confirms: true }, late))).toEqual(refused);
});
