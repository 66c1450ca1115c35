import type { Config } from '@cadastre/service/config';
import { caselessName } from '@cadastre/service/user-names';
import { type ExternalDeps, type ExternalOutcome, externalAccount } from './account/account.ts';
import type { ExternalPolicy } from './account/person.ts';

export type RemoteConfig = Pick<
  Config,
  | 'remoteAuthEnabled'
  | 'remoteAuthAutoCreateUser'
  | 'remoteAuthAutoCreateGroups'
  | 'remoteAuthDefaultGroups'
  | 'remoteAuthGroupSyncEnabled'
  | 'remoteAuthSuperuserGroups'
  | 'remoteAuthSuperusers'
  | 'remoteAuthLinkUsers'
>;

/** Somebody whom a proxy names in a header. */
export interface RemotePerson {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  groups: readonly string[];
  /** Of the client. */
  address: string;
}

const policyOf = (config: RemoteConfig): ExternalPolicy => ({
  createUsers: config.remoteAuthAutoCreateUser,
  createGroups: config.remoteAuthAutoCreateGroups,
  syncGroups: config.remoteAuthGroupSyncEnabled,
  defaultGroups: config.remoteAuthDefaultGroups,
  superuserGroups: config.remoteAuthGroupSyncEnabled ? config.remoteAuthSuperuserGroups : [],
  superusers: config.remoteAuthSuperusers,
  linkUsers: config.remoteAuthLinkUsers,
});

/** The account of a user whom a proxy has authenticated. Empty values are those that the proxy does not send. */
export function remoteAccount(
  deps: ExternalDeps,
  config: RemoteConfig,
  { username, email, firstName, lastName, groups, address }: RemotePerson,
): Promise<ExternalOutcome> {
  if (!config.remoteAuthEnabled) return Promise.resolve({ refused: 'unknown' });
  const said = Object.entries({ email, firstName, lastName }).filter(([, value]) => value !== '');
  return externalAccount(
    deps,
    {
      source: 'remote',
      // The name is all that identifies the user, so its case is ignored.
      subject: caselessName(username),
      username,
      address,
      groups: config.remoteAuthGroupSyncEnabled ? groups : null,
      ...Object.fromEntries(said),
    },
    policyOf(config),
  );
}
