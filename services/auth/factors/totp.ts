import type { Secret } from 'otpauth';

// Loaded when somebody has such a factor: a start goes without.
const library = () => import('otpauth');

const PERIOD = 30;
const DIGITS = 6;
/** What authenticator apps show beside the code. */
const ISSUER = 'Cadastre';
/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** What an app has to know to show codes. */
export interface NewTotp {
  /** In base 32, to be typed. */
  secret: string;
  /** The same with what it is for, as `otpauth:`. */
  uri: string;
  /** That as a picture, in SVG. */
  qr: string;
}

async function totpOf(secret: string | Secret, username = '') {
  const { TOTP } = await library();
  // SHA-1 in an HMAC is sound, and the only algorithm that all apps know.
  return new TOTP({ issuer: ISSUER, label: username, algorithm: 'SHA1', digits: DIGITS, period: PERIOD, secret });
}

/** A new secret, as its user gets it, once. */
export async function newTotp(username: string): Promise<NewTotp> {
  const { Secret } = await library();
  const totp = await totpOf(new Secret({ size: SECRET_BYTES }), username);
  const { default: qrcode } = await import('qrcode');
  const uri = totp.toString();
  const qr = await qrcode.toString(uri, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
  return { secret: totp.secret.base32, uri, qr };
}

/** A code as people type it, with blanks in the middle. */
export const codeIn = (text: string): string | undefined => {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
};

/**
 * The step of time that a code belongs to, if it is one of those around now; null for any other code. Steps are numbered
 * from 1970, so a later code has a higher one.
 * @param window how many steps before and after the present one count, for clocks that differ
 */
export async function stepOf(secret: string, code: string, window: number, now = Date.now()): Promise<number | null> {
  const totp = await totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: now, window });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD) + delta;
}
