import type { Executor } from '@cadastre/service/executor';

/** Stands in SECOND_FACTOR_GROUPS for all accounts that log in here. */
const ALL = '*';

/**
 * SQL conditions. Users for whom another system vouches have authenticated there; how is that system's decision.
 * @param method the column of a session that says how it began
 */
export const isLocal = (method: string): string => `split_part(${method}, '+', 1) not in ('oidc', 'remote')`;

/** Whether a user must have a second factor, by the groups. `$n` is the parameter that holds their names. */
export const mustHaveFactor = (user: string, parameter: string): string =>
  `('${ALL}' = any(${parameter}::text[]) or exists (select from users_group g where g.id = any(${user}.groups) and g.name = any(${parameter}::text[])))`;

/** Whether a user must have a second factor. */
export async function isRequired(db: Executor, userId: number, groups: readonly string[]): Promise<boolean> {
  if (!groups.length) return false;
  const {
    rows: [row],
  } = await db.query<{ must: boolean }>({
    name: 'auth-factor-required',
    text: `select ${mustHaveFactor('u', '$2')} as must from users_user u where u.id = $1`,
    values: [userId, groups],
  });
  return row?.must === true;
}
