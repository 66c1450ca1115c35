import { randomUUID } from 'node:crypto';
import {
  ANYBODY,
  type Change,
  type Engine,
  record,
  type Requester,
  rowsOf,
  updateOne,
  type WriteContext,
} from '@cadastre/rest';
import { runEffects } from '@cadastre/rest/write/effects/effects';
import { insertRows } from '@cadastre/rest/write/store/store';
import { takeFactors } from '../../actions/resetFactors.ts';
import { accountKey } from '../../passwords/attempts.ts';
import { isUnusable, isUsername, MACHINE, type Passwords, user } from '../../models/user.ts';
import { securityRecord } from '../../security/record.ts';
import { newUser } from '../superuser.ts';
import { Refused } from './refused.ts';

/** An account as the operator of the system sees it. */
export interface Listed {
  username: string;
  superuser: boolean;
  active: boolean;
  /**
   * Where its password is kept: `here`, or `elsewhere` (also where there is none); `machine`: an account for programs.
   */
  password: 'here' | 'elsewhere' | 'machine';
  /** ISO 8601. */
  lastLogin: string | null;
  factors: number;
}

/** What an operator does about accounts when nobody can log in. All methods but `list` throw Refused. */
export interface AdminAccounts {
  list(): Promise<Listed[]>;
  /** Why a password would be refused for an account of this name: one sentence for each problem. */
  problems(username: string, password: string): Promise<string[]>;
  create(account: { username: string; password: string; superuser: boolean }): Promise<void>;
  /** Returns whether the account is active, as nobody can log in to one that is not. */
  resetPassword(username: string, password: string): Promise<{ active: boolean }>;
  setActive(username: string, active: boolean): Promise<void>;
  /** Removes all second factors and returns how many there were. */
  resetFactors(username: string): Promise<number>;
}

const LIST = `select username::text, is_superuser as superuser, is_active as active, password,
    to_char(last_login at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last_login,
    (select count(*) from user_factor f where f.user_id = u.id)
  from users_user u order by lower(username)`;

/**
 * Accounts straight in the database of the auth service, under the rules that hold for every write: the policy for
 * passwords, change records, security events. `by` stands in these for who did it.
 */
export function adminAccounts(engine: Engine, by: string): AdminAccounts {
  const who: Requester = { ...ANYBODY, username: by };
  const context = (): WriteContext => ({
    who,
    cause: { id: randomUUID(), method: '', path: '', user: by, userId: null },
    base: '',
  });
  const passwords = engine.facilities['passwords'] as Passwords;
  const idOf = async (username: string): Promise<number> => {
    const [row] = await rowsOf(engine.pool, {
      text: 'select id from users_user where username = $1',
      values: [username],
    });
    if (!row) throw new Refused(`There is no user ${username}.`);
    return Number(row[0]);
  };
  const change = async (username: string, body: Record<string, string | boolean>): Promise<void> => {
    await updateOne(engine, user, await idOf(username), body, 'patch', undefined, context());
  };
  // Messages go to the operator.
  const security = securityRecord({ engine, log: { info: () => {}, warn: () => {} }, perMinute: 1, stored: true });
  const problems = (username: string, password: string) => passwords.problems(password, { username });
  return {
    async list() {
      const rows = await rowsOf(engine.pool, { text: LIST, values: [] });
      return rows.map(([username, superuser, active, password, lastLogin, factors]) => ({
        username: username!,
        superuser: superuser === 't',
        active: active === 't',
        password: password === MACHINE ? 'machine' : isUnusable(password ?? '') ? 'elsewhere' : 'here',
        lastLogin: lastLogin ?? null,
        factors: Number(factors),
      }));
    },
    problems,
    async create({ username, password, superuser }) {
      if (!isUsername(username))
        throw new Refused(
          `${username} cannot be a user name: it may have up to 150 letters, numbers, and @/./+/-/_ characters.`,
        );
      const [problem] = await problems(username, password);
      if (problem !== undefined) throw new Refused(problem);
      const hash = await passwords.hash(password, by);
      await engine.ready();
      await engine.transact(async (client) => {
        // Concurrent attempts to create a user of this name wait, and are then refused because it exists.
        await rowsOf(client, { text: 'lock table users_user in share row exclusive mode', values: [] });
        const [there] = await rowsOf(client, {
          text: 'select username from users_user where lower(username) = lower($1)',
          values: [username],
        });
        if (there) throw new Refused(`There is a user ${there[0]} already.`);
        const [after] = await insertRows(
          engine.tables,
          user,
          [newUser({ username, password: hash, superuser })],
          client,
        );
        const made: Change = { action: 'created', model: user, before: null, after: after!, message: '' };
        const changes = await runEffects(engine, [made], who, client);
        await record(await engine.readContext(client), changes, context().cause, client);
      });
    },
    async resetPassword(username, password) {
      const [problem] = await problems(username, password);
      if (problem !== undefined) throw new Refused(problem);
      await change(username, { password });
      // The failed attempts that locked the account were guesses at the old password.
      await engine.pool.query('delete from failed_login where key = $1', [accountKey(username)]);
      const [row] = await rowsOf(engine.pool, {
        text: 'select is_active from users_user where username = $1',
        values: [username],
      });
      return { active: row?.[0] === 't' };
    },
    async resetFactors(username) {
      const id = await idOf(username);
      await engine.ready();
      return engine.transact(async (client) => {
        const { removed } = await takeFactors(client, id, { name: by, cause: context().cause });
        if (removed)
          await security.write(client, [
            {
              kind: 'factor_changed',
              ok: true,
              user: { id: null, name: by },
              address: '',
              detail: `reset: ${removed}`,
              about: { type: 'users.user', id },
            },
          ]);
        return removed;
      });
    },
    setActive: (username, active) => change(username, { is_active: active }),
  };
}
