import { createReadStream } from 'node:fs';
import { type Account, account, accountsHead } from './query.ts';

/** No account is as long; in a file of another kind one line may have any length. In characters. */
const LONGEST_LINE = 1_000_000;

/**
 * The accounts in a file that ACCOUNTS_QUERY wrote, users first, as they are read.
 * @throws Error that names the file and the line, but quotes nothing of its content, as it may be a secret
 */
export function accountsInFile(path: string): AsyncGenerator<Account> {
  return accountsIn(linesOf(path), path);
}

/** The same from lines of any origin; `name` names the origin in messages. */
export async function* accountsIn(lines: AsyncIterable<string>, name: string): AsyncGenerator<Account> {
  let number = 0;
  let expected: { user: number; token: number } | undefined;
  let isCopied = false;
  const seen = { user: 0, token: 0 };
  const wrong = (what: string): Error => new Error(`${name}, line ${number}: ${what}`);
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    if (expected === undefined) {
      isCopied = jsonOf(line) === undefined;
      const head = accountsHead.safeParse(jsonOf(isCopied ? once(line) : line));
      if (!head.success)
        throw wrong('this is not what --accounts-query prints a statement for. Run it with psql -At, into a file.');
      expected = { user: head.data.users, token: head.data.tokens };
      continue;
    }
    const given = jsonOf(isCopied ? once(line) : line);
    if (given === undefined) throw wrong('this is no JSON. Was the statement run with psql -At?');
    const read = account.safeParse(given);
    if (!read.success)
      throw wrong(read.error.issues.map(({ path, message }) => `${path.join('.') || 'kind'}: ${message}`).join('; '));
    seen[read.data.kind] += 1;
    yield read.data;
  }
  if (expected === undefined) throw new Error(`${name} is empty.`);
  if (seen.user !== expected.user || seen.token !== expected.token)
    throw new Error(
      `${name} is not complete: it has ${seen.user} of ${expected.user} users and ${seen.token} of ${expected.token} tokens.`,
    );
}

/** `COPY` and `\copy` of PostgreSQL double backslashes. */
const once = (line: string): string => line.replaceAll('\\\\', '\\');

/** The parser's own message would quote the line. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let begun = '';
  try {
    for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const lines = (begun + chunk).split('\n');
      begun = lines.pop()!;
      if (begun.length > LONGEST_LINE) throw new Error('it has a line that is too long for an account');
      yield* lines;
    }
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (begun !== '') yield begun;
}
