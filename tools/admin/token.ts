import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { authorizationOf, type Reached } from '../command/system.ts';

interface Provisioned {
  detail?: string;
  version?: number;
  key?: string;
  token?: string;
}

/** A user whose password is asked for. */
export interface Asked {
  user: string;
  password(): Promise<string>;
  /** The code for a user with a second factor. */
  code?(): Promise<string>;
}

/**
 * The value of the header Authorization: with the given token, else with a new one for a user name and a password.
 * @throws Error that says why no token was made
 */
export async function tokenFor({ url, token }: Reached, { user, password, code }: Asked): Promise<string> {
  if (token !== undefined) return authorizationOf(token);
  const given = { username: user, password: await password(), description: 'npm run admin -- token' };
  const ask = async (body: object): Promise<{ ok: boolean; answer: Provisioned }> => {
    const response = await fetch(`${url}/api/users/tokens/provision/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    return { ok: response.ok, answer: (await response.json()) as Provisioned };
  };
  let { ok, answer } = await ask(given);
  if (!ok && code && answer.detail?.includes('as `code`'))
    ({ ok, answer } = await ask({ ...given, code: await code() }));
  if (!ok) throw new Error(`${url} gave no token: ${answer.detail ?? JSON.stringify(answer)}`);
  return authorizationOf(answer.version === 1 ? answer.token! : `svc_${answer.key}.${answer.token}`);
}

/**
 * Reads a password: from the terminal without showing it, else the first line of standard input. The prompt goes to
 * standard error.
 */
export function readPassword(question: string, input: NodeJS.ReadStream = process.stdin): Promise<string> {
  const terminal = input.isTTY === true;
  if (terminal) process.stderr.write(question);
  // The usual keys for editing a line work, but nothing of what is typed is shown.
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input, output: silent, terminal });
  return new Promise((resolve, reject) => {
    const end = (): void => {
      lines.close();
      if (terminal) process.stderr.write('\n');
    };
    lines.once('line', (line) => {
      resolve(line);
      end();
    });
    lines.once('SIGINT', () => {
      end();
      process.exit(130);
    });
    lines.once('close', () => {
      reject(new Error('No password was given.'));
    });
  });
}
