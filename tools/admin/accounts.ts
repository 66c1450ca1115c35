import { UsageError, type Surroundings } from './command.ts';

export const USERS = '/api/users/users/';

/** The user with a name. @throws Error when there is no such user that the requester may see */
export async function userNamed(name: string, { send }: Pick<Surroundings, 'send'>): Promise<number> {
  const found = await idOf(name, { send });
  if (found === undefined) throw new Error(`There is no user ${name}.`);
  return found;
}

/** The same, but undefined when there is no such user. */
export async function idOf(name: string, { send }: Pick<Surroundings, 'send'>): Promise<number | undefined> {
  if (!name) throw new UsageError('Name the user.');
  const { results } = (await send('GET', `${USERS}?username=${encodeURIComponent(name)}`)) as {
    results: { id: number; username: string }[];
  };
  return results.find(({ username }) => username === name)?.id;
}

/** The value of the header Authorization for a new token. */
export const headerOf = ({ version, key, token }: Record<string, unknown>): string =>
  version === 1 ? `Token ${String(token)}` : `Bearer svc_${String(key)}.${String(token)}`;
