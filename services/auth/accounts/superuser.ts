import type { Values } from '@cadastre/model';
import type { Config } from '@cadastre/service';
import type { ModelService } from '@cadastre/service/models';
import { type Change, record, rowsOf } from '@cadastre/rest';
import { insertRows } from '@cadastre/rest/write/store/store';
import { token as tokenModel } from '../models/token.ts';
import { user as userModel } from '../models/user.ts';
import { costOf, hashPassword } from '../passwords/password.ts';
import { passwordProblems, type PolicySettings } from '../passwords/passwordPolicy.ts';
import { newToken } from '../credentials/token.ts';

type Superuser = Pick<
  Config,
  'superuserName' | 'superuserEmail' | 'superuserPassword' | 'superuserApiToken' | 'apiTokenPeppers' | 'apiTokenV1'
> &
  PolicySettings &
  Parameters<typeof costOf>[0];

/** The row of a new account; `password` is its hash. */
export const newUser = ({
  username,
  email = '',
  password,
  superuser,
}: {
  username: string;
  email?: string;
  password: string;
  superuser: boolean;
}): Values => ({
  username,
  email,
  password,
  first_name: '',
  last_name: '',
  is_active: true,
  is_superuser: superuser,
  date_joined: new Date().toISOString(),
  last_login: null,
  groups: [],
  permissions: [],
});

/** Any number: of several processes that start at once, one makes the superuser. */
const LOCK = 4_621_900_730_412;

/**
 * Makes the first user, and that user's token, when there is no user yet. Without a password in the settings none is
 * made.
 */
export async function ensureSuperuser({
  engine,
  config,
  log,
}: Pick<ModelService, 'engine' | 'log'> & { config: Superuser }): Promise<void> {
  const {
    superuserName: username,
    superuserEmail: email,
    superuserPassword: password,
    superuserApiToken: plaintext,
  } = config;
  if (!password) return;
  await engine.transact(async (client) => {
    await rowsOf(client, { text: 'select pg_advisory_xact_lock($1)', values: [LOCK] });
    const [there] = await rowsOf(client, { text: 'select 1 from users_user limit 1', values: [] });
    if (there) return;
    // A weak password is the administrator's decision, but is logged. A generated one needs no character classes: it is
    // long.
    const asked = { ...config, passwordCharacterClasses: false };
    const weak = await passwordProblems(password.reveal(), asked, { username, email });
    if (weak.length) log.warn({ problems: weak }, 'SUPERUSER_PASSWORD is weaker than what users may choose');
    const now = new Date().toISOString();
    const hash = await hashPassword(password.reveal(), costOf(config));
    const [user] = await insertRows(
      engine.tables,
      userModel,
      [newUser({ username, email, password: hash, superuser: true })],
      client,
    );
    const changes: Change[] = [{ action: 'created', model: userModel, before: null, after: user!, message: '' }];
    if (plaintext && !config.apiTokenV1)
      log.warn('SUPERUSER_API_TOKEN is a token of version 1, which API_TOKEN_V1 has turned off: it was not made');
    if (plaintext && config.apiTokenV1) {
      const { stored } = newToken(1, config.apiTokenPeppers, plaintext.reveal());
      const [token] = await insertRows(
        engine.tables,
        tokenModel,
        [
          {
            ...stored,
            user: Number(user![0]),
            description: '',
            created: now,
            expires: null,
            last_used: null,
            enabled: true,
            write_enabled: true,
            allowed_ips: [],
          },
        ],
        client,
      );
      changes.push({ action: 'created', model: tokenModel, before: null, after: token!, message: '' });
    }
    await record(await engine.readContext(client), changes, null, client);
    log.info({ username }, 'made the superuser');
  });
}
