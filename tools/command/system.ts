// The system that a command works with: the one that is named, else the one that runs on DATA_DIR.
import { accessSync, constants, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findRunning } from '../local/supervisor/data/run-file.ts';

/** The address of a system, and a token for it if one is known. */
export interface Reached {
  url: string;
  token?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The names of a command's options. */
interface Names {
  url: string;
  token: string;
}

const USUAL: Names = { url: '--url', token: '--token' };

/** No system is named and none runs here; or no token for it is known. The message says which options to give. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
}

/**
 * The system that the options, else CADASTRE_URL and CADASTRE_TOKEN, name; else the one that `npm start` runs on
 * DATA_DIR.
 * @throws NotReached
 */
export function systemOf(
  given: { url?: string | undefined; token?: string | undefined },
  env: Environment = process.env,
  names: Names = USUAL,
): Reached {
  const token = given.token ?? (env['CADASTRE_TOKEN'] || env['SUPERUSER_API_TOKEN'] || undefined);
  const url = given.url ?? (env['CADASTRE_URL'] || undefined);
  if (url !== undefined) {
    if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
      throw new NotReached(`${names.url} must be an address like http://localhost:8000, not ${url}.`);
    return { url: url.replace(/\/+$/, ''), ...(token === undefined ? {} : { token }) };
  }
  const folder = resolve(env['DATA_DIR'] || './data');
  const running = findRunning(folder);
  if (running) return token === undefined ? running : { ...running, token };
  throw new NotReached(
    `${whyNone(folder)} Name the system with ${names.url}, for example ${names.url} http://localhost:8000`,
  );
}

function whyNone(folder: string): string {
  const file = join(folder, 'run.json');
  try {
    if (existsSync(file)) accessSync(file, constants.R_OK);
  } catch {
    return `The system on DATA_DIR ${folder} belongs to another account.`;
  }
  return `No system is running on DATA_DIR ${folder} (npm start starts one).`;
}

/** The same, with a token. @throws NotReached */
export function systemWithToken(
  given: { url?: string | undefined; token?: string | undefined },
  env: Environment = process.env,
  names: Names = USUAL,
): Required<Reached> {
  const { url, token } = systemOf(given, env, names);
  if (token === undefined)
    throw new NotReached(
      `A token for ${url} is needed: give one with ${names.token}, or set CADASTRE_TOKEN. "npm run admin -- token" makes one.`,
    );
  return { url, token };
}

/** The header Authorization for a token; a value that begins with a scheme stays as it is. */
export function authorizationOf(token: string): string {
  if (/^(Bearer|Token) /.test(token)) return token;
  return token.includes('.') ? `Bearer ${token}` : `Token ${token}`;
}
