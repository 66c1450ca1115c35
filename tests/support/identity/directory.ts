import { certificateFile } from '../../../tools/testing/certificates/index.ts';
import { startSystem, type System } from '../../../tools/testing/fresh-system.ts';
import {
  dnOf,
  GROUPS,
  groupLdif,
  memberLdif,
  PEOPLE,
  personLdif,
  READER,
  READER_PASSWORD,
  type Slapd,
  startSlapd,
} from '../../../tools/testing/servers/slapd.ts';
import { type Body, Client } from '../client.ts';
import { unique } from '../unique.ts';

/** The password of all people in the directory. */
export const SECRET = 'Of-the-directory-1';

/** The settings with which a system uses the directory. */
export const directorySettings = (slapd: Slapd): Record<string, string> => ({
  LDAP_URL: slapd.plain,
  LDAP_START_TLS: 'true',
  LDAP_CA_FILE: certificateFile('ca.pem'),
  LDAP_BIND_DN: READER,
  LDAP_BIND_PASSWORD: READER_PASSWORD,
  LDAP_USER_BASE: PEOPLE,
  LDAP_GROUP_BASE: GROUPS,
  // A long timeout, as the machine is busy where tests run.
  LDAP_CONNECT_TIMEOUT_MS: '20000',
  LDAP_OPERATION_TIMEOUT_MS: '20000',
  LDAP_CHECK_TIMEOUT_MS: '40000',
  GRPC_TIMEOUT_MS: '30000',
});

/** A directory, and a system that uses it. */
export interface WithDirectory {
  slapd: Slapd;
  system: System;
  admin: Client;
  /** A new person in the directory, who is a member of these groups. */
  person(...groups: string[]): Promise<string>;
  /** The account of a person. */
  userOf(username: string): Promise<Body>;
  stop(): Promise<void>;
}

/** @param groups of the directory, at first without members */
export async function startWithDirectory(
  groups: readonly string[],
  settings: Record<string, string>,
): Promise<WithDirectory> {
  const slapd = await startSlapd();
  await slapd.change(groups.map((name) => groupLdif(name)).join('\n'));
  const system = await startSystem({ ...directorySettings(slapd), ...settings });
  const admin = new Client(system.base, `Token ${system.token}`);
  return {
    slapd,
    system,
    admin,
    async person(...of) {
      const uid = unique('ldap');
      await slapd.change([personLdif(uid, SECRET), ...of.map((name) => memberLdif('add', name, dnOf(uid)))].join('\n'));
      return uid;
    },
    userOf: async (username) =>
      (await admin.read(`/api/users/users/?username=${encodeURIComponent(username)}`)).results[0],
    async stop() {
      await system.stop();
      await slapd.stop();
    },
  };
}
