// A directory for tests: OpenLDAP's server on free ports, with its data in a temporary folder. Where it is not installed
// the tests that need it are skipped, and say how to get it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from '../../local/processes/free-ports.ts';
import { certificateFile } from '../certificates/index.ts';

const program = process.env['SLAPD_PATH'] ?? '/usr/sbin/slapd';
const MODULES = ['/usr/lib/ldap', '/usr/lib/openldap', '/usr/lib64/openldap'];
const SCHEMAS = ['/etc/ldap/schema', '/etc/openldap/schema'];

/** Whether slapd is installed. */
export const slapdIsThere = existsSync(program);
export const WITHOUT_SLAPD =
  'Install slapd and ldap-utils (Debian: apt-get install slapd ldap-utils), or name the program with SLAPD_PATH.';

export const SUFFIX = 'dc=example,dc=org';
export const PEOPLE = `ou=people,${SUFFIX}`;
export const GROUPS = `ou=groups,${SUFFIX}`;
/** The account that may search; anonymous clients may not. */
export const READER = `cn=reader,${SUFFIX}`;
export const READER_PASSWORD = 'reads-what-is-there';
const MANAGER = `cn=manager,${SUFFIX}`;
const MANAGER_PASSWORD = 'manages-all';

export interface Slapd {
  /** The address without TLS, unless a client starts TLS. */
  plain: string;
  /** TLS from the beginning. Both have the certificate `server.pem` from the authority `ca.pem`. */
  tls: string;
  /** Applies LDIF that adds, changes and deletes entries. */
  change(ldif: string): Promise<void>;
  /** Stops it; its data stays. */
  pause(): Promise<void>;
  /** Starts it again, at the same addresses. */
  go(): Promise<void>;
  stop(): Promise<void>;
}

export const dnOf = (uid: string): string => `uid=${uid},${PEOPLE}`;
export const groupDn = (name: string): string => `cn=${name},${GROUPS}`;

/** LDIF of a person. */
export const personLdif = (uid: string, password: string, more: Record<string, string> = {}): string =>
  [
    `dn: ${dnOf(uid)}`,
    'changetype: add',
    'objectClass: inetOrgPerson',
    `uid: ${uid}`,
    `userPassword: ${password}`,
    ...Object.entries({ cn: uid, sn: uid, ...more }).map(([name, value]) => `${name}: ${value}`),
    '',
  ].join('\n');

/** LDIF that locks the account of a person. */
export const lockLdif = (uid: string): string =>
  `dn: ${dnOf(uid)}\nchangetype: modify\nadd: pwdAccountLockedTime\npwdAccountLockedTime: 000001010000Z\n`;

/** LDIF of a group; it has one member at least. */
export const groupLdif = (name: string, ...members: string[]): string =>
  [
    `dn: ${groupDn(name)}`,
    'changetype: add',
    'objectClass: groupOfNames',
    `cn: ${name}`,
    ...[`cn=nobody,${SUFFIX}`, ...members].map((member) => `member: ${member}`),
    '',
  ].join('\n');

/** LDIF that adds a person to a group, or removes them. */
export const memberLdif = (how: 'add' | 'delete', name: string, member: string): string =>
  `dn: ${groupDn(name)}\nchangetype: modify\n${how}: member\nmember: ${member}\n`;

export async function startSlapd(): Promise<Slapd> {
  const folder = await mkdtemp(join(tmpdir(), 'cadastre-slapd-'));
  const [plainPort, tlsPort] = (await freePorts(2)) as [number, number];
  const plain = `ldap://127.0.0.1:${plainPort}`;
  const tls = `ldaps://127.0.0.1:${tlsPort}`;
  const config = join(folder, 'slapd.conf');
  await mkdir(join(folder, 'data'));
  await writeFile(config, configuration(folder));
  let child: ChildProcess | undefined;
  const go = async () => {
    const begun = spawn(program, ['-f', config, '-h', `${plain} ${tls}`, '-d', '0'], { stdio: 'ignore' });
    child = begun;
    for (let tries = 0; !(await listens(plainPort)); tries += 1) {
      if (begun.exitCode !== null || tries > 600) throw new Error(`slapd did not start: ${begun.exitCode}`);
      await sleep(50);
    }
  };
  const pause = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child!.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  };
  const change = async (ldif: string) => {
    const running = promisify(execFile)('ldapmodify', ['-x', '-H', plain, '-D', MANAGER, '-w', MANAGER_PASSWORD]);
    running.child.stdin!.end(ldif);
    await running;
  };
  await go();
  await change(FOUNDATION);
  return {
    plain,
    tls,
    change,
    pause,
    go,
    async stop() {
      await pause();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const first = (folders: readonly string[]): string => folders.find((one) => existsSync(one)) ?? folders[0]!;

/** Debian's has its back ends as modules. Everybody may read themselves, the reader everybody; passwords nobody reads. */
const configuration = (folder: string): string => `
include ${first(SCHEMAS)}/core.schema
include ${first(SCHEMAS)}/cosine.schema
include ${first(SCHEMAS)}/nis.schema
include ${first(SCHEMAS)}/inetorgperson.schema
modulepath ${first(MODULES)}
moduleload back_mdb
moduleload ppolicy
pidfile ${folder}/pid
TLSCACertificateFile ${certificateFile('ca.pem')}
TLSCertificateFile ${certificateFile('server.pem')}
TLSCertificateKeyFile ${certificateFile('server.key')}
database mdb
maxsize 16777216
suffix "${SUFFIX}"
rootdn "${MANAGER}"
rootpw ${MANAGER_PASSWORD}
directory ${folder}/data
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${READER}" read by users read by * none
overlay ppolicy
ppolicy_default cn=policy,${SUFFIX}
`;

const FOUNDATION = `dn: ${SUFFIX}
changetype: add
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ${PEOPLE}
changetype: add
objectClass: organizationalUnit
ou: people

dn: ${GROUPS}
changetype: add
objectClass: organizationalUnit
ou: groups

dn: ${READER}
changetype: add
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: reader
userPassword: ${READER_PASSWORD}

dn: cn=policy,${SUFFIX}
changetype: add
objectClass: organizationalRole
objectClass: pwdPolicy
cn: policy
pwdAttribute: userPassword
pwdLockout: TRUE
`;

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
