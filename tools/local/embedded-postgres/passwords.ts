import { randomBytes } from 'node:crypto';

/** By the name of a database, the password of the role of that name. */
export type Passwords = ReadonlyMap<string, string>;

/** Passwords are new at every start, so none is kept anywhere. */
export const newPasswords = (databases: readonly string[]): Passwords =>
  new Map(databases.map((name) => [name, randomBytes(24).toString('base64url')]));

/** The address of one database for its own role. */
export function ownUrl(serverUrl: string, database: string, password: string): string {
  const url = new URL(serverUrl);
  Object.assign(url, { username: encodeURIComponent(database), password, pathname: `/${database}` });
  return url.toString();
}
