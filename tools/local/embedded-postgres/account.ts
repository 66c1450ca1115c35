import { execFileSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The account that PostgreSQL runs as. It refuses to run as root, so root gives it one without rights. */
export type Account = {
  readonly uid?: number;
  readonly gid?: number;
  /** What to put before a command so that it runs as the account; empty when spawn's own uid and gid do. */
  readonly prefix: readonly string[];
};

const own: Account = { prefix: [] };
const name = 'cadastre';

/**
 * Finds the account for PostgreSQL, creating one when needed.
 * @param paths that it must be able to reach: its programs and its data
 * @param tell called before an account is created
 */
export function findAccount(paths: readonly string[], tell: (text: string) => void = () => undefined): Account {
  if (process.getuid?.() !== 0) return own;
  const user = lookUp(name) ?? create(tell) ?? lookUp('postgres') ?? lookUp('nobody');
  if (!user)
    throw new Error(
      'PostgreSQL does not run as root, and no other account was found. Run npm start as another user, or set DATABASE_URL.',
    );
  const closed = paths.map((path) => closedFolder(resolve(path), user)).find((folder) => folder !== undefined);
  if (closed === undefined) return { ...user, prefix: [] };
  const right = passingRight();
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(executable);
  if (!right || !setpriv) {
    throw new Error(
      `PostgreSQL does not run as root, and the account that it runs as cannot enter ${closed}. Run npm start as another user, move the checkout or DATA_DIR, or allow it: chmod o+x ${closed}`,
    );
  }
  const { uid, gid } = user;
  // Without that bit access(2), by which PostgreSQL checks its programs, would not count the right.
  return {
    uid,
    gid,
    prefix: [
      setpriv,
      '--securebits=+no_setuid_fixup',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=+${right}`,
      `--ambient-caps=+${right}`,
      '--',
    ],
  };
}

type User = { readonly uid: number; readonly gid: number };

function lookUp(user: string): User | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function create(tell: (text: string) => void): User | undefined {
  tell(
    `PostgreSQL does not run as root: making the system account "${name}" for it, once (userdel ${name} removes it; start as another user, or set DATABASE_URL, to do without)`,
  );
  try {
    execFileSync(
      'useradd',
      ['--system', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin', name],
      { stdio: 'ignore' },
    );
    return lookUp(name);
  } catch {
    return undefined;
  }
}

/** The first folder in `path` that the user may not enter. */
function closedFolder(path: string, { uid, gid }: User): string | undefined {
  const above = dirname(path) === path ? undefined : closedFolder(dirname(path), { uid, gid });
  if (above !== undefined) return above;
  try {
    const stat = statSync(path);
    if (!stat.isDirectory()) return undefined;
    const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
    return (stat.mode & bit) === 0 ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The capability with which the account could enter such folders, the smaller one first; containers often have only the
 * larger.
 */
function passingRight(): string | undefined {
  try {
    const held = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`);
    return [
      ['dac_read_search', 2n],
      ['dac_override', 1n],
    ].flatMap(([right, bit]) => (((held >> (bit as bigint)) & 1n) === 1n ? [right as string] : []))[0];
  } catch {
    return undefined;
  }
}

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
