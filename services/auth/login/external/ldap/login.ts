import type { ModelService } from '@cadastre/service/models';
import { type HashingLimiter, hashingLimiter } from '../../../passwords/hashingLimiter.ts';
import type { SecurityRecord } from '../../../security/record.ts';
import type { Account } from '../../../passwords/users.ts';
import type { Directory } from './directory/directory.ts';
import { type EqualTiming, equalTiming } from './equalTiming.ts';
import { type LdapSettings, loadLdapSettings } from './directory/settings.ts';
import { Unavailable } from './directory/unavailable.ts';

/** Logins with passwords that a directory knows. */
export interface DirectoryLogin {
  /** Limits how many logins ask the directory at the same time. */
  places: HashingLimiter;
  pace: EqualTiming;
  /** The account of the user with this name and password there, who asks from this address; null without one. @throws Unavailable */
  check(username: string, password: string, address: string): Promise<Account | null>;
}

type Of = Pick<ModelService, 'engine' | 'config' | 'env' | 'log' | 'onClose'>;

/**
 * The directory from the settings, if there is one; the library is loaded only then. If it is unavailable, that is
 * logged, and the service starts nevertheless.
 * @throws ConfigError
 */
export async function directoryLogin(
  { engine, config, env, log, onClose }: Of,
  security: SecurityRecord,
): Promise<DirectoryLogin | undefined> {
  const settings = loadLdapSettings(env);
  if (!settings) return undefined;
  const { directoryOf } = await import('./directory/directory.ts');
  const { accountFor } = await import('./person.ts');
  const { recheckFromTimeToTime } = await import('./recheck.ts');
  const directory = directoryOf(settings, log);
  tellOf(directory, settings, log);
  const deps = { engine, defaults: config.defaultPermissions, log, security };
  if (!config.maintenanceMode)
    onClose('looks at the directory', recheckFromTimeToTime({ ...deps, pool: engine.pool }, directory, settings));
  return {
    places: hashingLimiter({
      atOnce: settings.ldapConcurrency,
      waiting: config.passwordQueue,
      waitingEach: config.passwordQueuePerClient,
      waitMs: config.passwordWaitMs,
    }),
    pace: equalTiming(),
    async check(username, password, address) {
      const found = await directory.check(username, password).catch((error: unknown) => {
        if (error instanceof Unavailable)
          log.warn({ directory: error.server, reason: error.message }, 'the directory could not check a password');
        throw error;
      });
      if (!found) return null;
      const outcome = await accountFor(deps, settings, found, { address });
      if ('account' in outcome) return outcome.account;
      log.warn({ subject: found.subject, refused: outcome.refused }, 'somebody of the directory has no account here');
      return null;
    },
  };
}

/**
 * Logs what an administrator should know of the directory when the service starts, which does not wait for its answer.
 */
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
