import { setTimeout as sleep } from 'node:timers/promises';
import { withDatabase } from '@cadastre/service/config';
import { parseHTML } from 'linkedom';
import { TOTP } from 'otpauth';
import pg from 'pg';
import type { Client } from '../client.ts';
import { Jar, type Shown } from '../pages/jar.ts';
import type { System } from '../system.ts';
import { unique } from '../unique.ts';

export const PASSWORD = 'Correct-Horse-9';
const home = '/user/factors/';

/** The code that an authenticator app shows, a number of steps from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: Date.now() + steps * 30_000 });

/**
 * The previous code, so that the present one is still unused after it. It is accepted until this half minute is over:
 * near its end this waits for the next.
 */
export async function codeBefore(secret: string): Promise<string> {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 2_000) await sleep(left);
  return codeOf(secret, -1);
}

/** A new user with a password. */
export async function person(admin: Client, more: object = {}): Promise<{ id: number; name: string }> {
  const name = unique('factor');
  const { id } = await admin.make('/api/users/users/', { username: name, password: PASSWORD, ...more });
  return { id, name };
}

/** The text of an element of a page. */
export const textIn = ({ html }: Pick<Shown, 'html'>, selector: string): string =>
  parseHTML(html).document.querySelector(selector)?.textContent.trim() ?? '';

export const pressing = (name: string, value: string) => ({ button: [name, value] as [string, string] });
const newForm = (name: string) => `main form:has([name="${name}"])`;

/** Sets up an app on the page of factors: returns its secret, and the recovery codes if it was the first factor. */
export async function enrol(jar: Jar, name = 'phone'): Promise<{ secret: string; codes: string[]; shown: Shown }> {
  const page = await jar.get(home);
  const begun = await jar.send(page, { name }, { selector: newForm('begin'), ...pressing('begin', 'totp') });
  const secret = textIn(begun, 'code.secret');
  if (!secret) throw new Error(`No secret: ${begun.status} ${begun.location} ${begun.html.slice(-3000)}`);
  const shown = await jar.send(begun, { code: await codeBefore(secret) }, { selector: newForm('confirm') });
  return { secret, codes: textIn(shown, 'pre.code').split('\n').filter(Boolean), shown };
}

/** A new user with an app, and no session. */
export async function withApp(system: System, admin: Client) {
  const who = await person(admin);
  const jar = new Jar(system.base);
  await jar.logIn(who.name, PASSWORD);
  return { ...who, ...(await enrol(jar)), jar };
}

/** Runs statements in the database of auth. */
export async function onAuth<T extends pg.QueryResultRow>(
  { postgres }: Pick<System, 'postgres'>,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client(withDatabase(postgres, 'cadastre_auth'));
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}
