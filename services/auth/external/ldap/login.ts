import type { ModelService } from '@cadastre/service/models';
import { type Places, places } from '../../places.ts';
import type { SecurityRecord } from '../../security/record.ts';
import type { Account } from '../../users.ts';
import { externalAccount } from '../account.ts';
import type { ExternalPerson, ExternalPolicy } from '../person.ts';
import type { Directory, DirectoryPerson } from './directory.ts';
import { type Pace, pace } from './pace.ts';
import { type LdapSettings, loadLdapSettings } from './settings.ts';
import { Unavailable } from './unavailable.ts';

/** Logins with passwords that a directory knows. */
export interface DirectoryLogin {
  /** Turns at asking it. */
  places: Places;
  pace: Pace;
  /** The account of whoever has this password there, and asks from this address; null for nobody. @throws Unavailable */
  check(username: string, password: string, address: string): Promise<Account | null>;
}

type Of = Pick<ModelService, 'engine' | 'config' | 'env' | 'log'>;

/**
 * The directory that the settings name, if they name one; the library is loaded only then. One that cannot be reached is
 * told in the log, and does not keep anything from starting.
 * @throws ConfigError
 */
export async function directoryLogin(
  { engine, config, env, log }: Of,
  security: SecurityRecord,
): Promise<DirectoryLogin | undefined> {
  const settings = loadLdapSettings(env);
  if (!settings) return undefined;
  const { directoryOf } = await import('./directory.ts');
  const { isIn } = await import('./names.ts');
  const directory = directoryOf(settings, log);
  tellOf(directory, settings, log);
  const deps = { engine, defaults: config.defaultPermissions, log, security };
  return {
    places: places({
      atOnce: settings.ldapConcurrency,
      waiting: config.passwordQueue,
      waitingEach: config.passwordQueuePerClient,
      waitMs: config.passwordWaitMs,
    }),
    pace: pace(),
    async check(username, password, address) {
      const found = await directory.check(username, password).catch((error: unknown) => {
        if (error instanceof Unavailable)
          log.warn({ directory: error.server, reason: error.message }, 'the directory could not check a password');
        throw error;
      });
      if (!found) return null;
      const superusers = settings.ldapSuperuserGroups;
      const of = (found.groups ?? []).filter((group) => isIn([group], superusers)).map(({ name }) => name);
      const outcome = await externalAccount(
        deps,
        { ...personOf(found), address },
        policyOf(settings, [...of, ...superusers]),
      );
      if ('account' in outcome) return outcome.account;
      log.warn({ subject: found.subject, refused: outcome.refused }, 'somebody of the directory has no account here');
      return null;
    },
  };
}

const personOf = ({ groups, ...person }: DirectoryPerson): ExternalPerson => ({
  source: 'ldap',
  ...person,
  groups: groups?.map(({ name }) => name) ?? null,
});

const policyOf = (settings: LdapSettings, superuserGroups: readonly string[]): ExternalPolicy => ({
  createUsers: settings.ldapCreateUsers,
  createGroups: settings.ldapCreateGroups,
  syncGroups: settings.ldapGroupSync,
  defaultGroups: settings.ldapDefaultGroups,
  superuserGroups,
  superusers: [],
  linkUsers: settings.ldapLinkUsers,
  ...(settings.ldapGroupMap ? { groupMap: settings.ldapGroupMap } : {}),
});

/** What an administrator should know of the directory when the service starts. Nobody waits for its answer. */
function tellOf(directory: Directory, settings: LdapSettings, log: Of['log']): void {
  const directories = settings.ldapUrl.join(', ');
  if (settings.ldapInsecureNoTls)
    log.warn({ directory: directories }, 'LDAP_INSECURE_NO_TLS: passwords travel to the directory readable');
  if (settings.ldapInsecureNoVerification)
    log.warn({ directory: directories }, 'LDAP_INSECURE_NO_VERIFICATION: anybody may pass for the directory');
  directory.probe().then(
    () => log.info({ directory: directories }, 'the directory answers'),
    (error: Error) =>
      log.warn(
        { directory: directories, reason: error.message },
        'the directory cannot be asked: its users cannot log in until it can; those with a password here can',
      ),
  );
}
