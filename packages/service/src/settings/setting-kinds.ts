// How the values of environment variables are parsed, by kind. A service with settings of its own builds them from
// these.
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { readPrivateKey, readPublicKey } from './key-pairs.ts';
import { Secret } from './secret.ts';

/** Text without the space around it. */
export const text = z.string().trim();
/** A value that is never shown. */
export const secret = (min = 1) =>
  z
    .string()
    .min(min, `must have at least ${min} characters`)
    .transform((value) => new Secret(value));

/** A whole number within bounds. */
export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  text
    .regex(/^\d{1,15}$/, `must be a whole number from ${min}${max < Number.MAX_SAFE_INTEGER ? ` to ${max}` : ''}`)
    .transform(Number)
    .refine(
      (value) => value >= min && value <= max,
      `must be a whole number from ${min}${max < Number.MAX_SAFE_INTEGER ? ` to ${max}` : ''}`,
    );
export const port = whole(1, 65_535);

const yes = new Set(['true', '1', 'yes', 'on']);
const no = new Set(['false', '0', 'no', 'off']);
/** true or false, also 1 or 0, yes or no, on or off. */
export const flag = text
  .toLowerCase()
  .refine((value) => yes.has(value) || no.has(value), 'must be true or false')
  .transform((value) => yes.has(value));

/** Any JSON value; pipe it into the schema that it must have. */
export const json = text.transform((value, context): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

/** A list: `a, b` or `["a", "b"]`. */
export const list = text.transform((value, context) => {
  if (!value.startsWith('['))
    return value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const parsed = z.array(z.string()).safeParse(safeJson(value));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: 'must be a comma-separated list or a JSON array of strings' });
  return z.NEVER;
});

function safeJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

export const postgresUrl = text
  .refine(
    (value) => /^postgres(ql)?:\/\/./.test(value) && URL.canParse(value),
    'must be a URL like postgres://user:password@host:5432',
  )
  .transform((value) => new Secret(value));

/** An address without a slash at its end. */
export const httpUrl = text
  .refine(
    (value) => /^https?:\/\/./.test(value) && URL.canParse(value),
    'must be a URL like https://objects.example.com/bucket',
  )
  .transform((value) => value.replace(/\/+$/, ''));

const read = (how: (text: string) => KeyObject, message: string) =>
  text.transform((value, context): KeyObject => {
    try {
      return how(value);
    } catch {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });
/** An Ed25519 key that is never shown. */
export const privateKey = read(readPrivateKey, 'must be an Ed25519 private key: PKCS#8 in base64, or PEM');
export const publicKey = read(readPublicKey, 'must be Ed25519 public keys: SPKI in base64, or PEM');
