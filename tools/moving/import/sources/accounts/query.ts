import { z } from 'zod';

/**
 * What an operator runs against NetBox's database (4.2 to 4.6), with `psql -At`, as its API shows neither passwords nor
 * tokens, nor anybody's preferences: users and tokens as lines of JSON, users first. The first line says how many of each follow. Rows are asked
 * for by `to_jsonb` because older ones have fewer columns: before 4.5 a token is its `key`, in the clear.
 */
export const ACCOUNTS_QUERY = `with
  users as (
    select id, to_jsonb(u) || jsonb_build_object(
      'kind', 'user',
      'config', (select data from users_userconfig c where c.user_id = u.id)) as line
    from users_user u
  ),
  tokens as (
    select id, (to_jsonb(t) - 'key') || jsonb_build_object(
      'kind', 'token',
      'version', coalesce(to_jsonb(t) -> 'version', '1'),
      'key', case when to_jsonb(t) ? 'version' then to_jsonb(t) -> 'key' end,
      'plaintext', case when to_jsonb(t) ? 'version' then to_jsonb(t) -> 'plaintext' else to_jsonb(t) -> 'key' end,
      'enabled', coalesce(to_jsonb(t) -> 'enabled', 'true')) as line
    from users_token t
  )
select line::text from (
  select 0 as part, 0::bigint as id, jsonb_build_object(
    'kind', 'accounts', 'quote', '"', 'users', (select count(*) from users), 'tokens', (select count(*) from tokens)) as line
  union all select 1, id, line from users
  union all select 2, id, line from tokens
) accounts order by part, id;
`;

const id = z.int().positive();
const moment = z.string().nullable();

/** The first line: how many there are, so that nobody takes a part for the whole. */
export const accountsHead = z.object({
  kind: z.literal('accounts'),
  /** Written by JSON with a backslash, which shows whether somebody wrote all backslashes twice. */
  quote: z.literal('"'),
  users: z.int().nonnegative(),
  tokens: z.int().nonnegative(),
});

const userAccount = z.object({
  kind: z.literal('user'),
  id,
  username: z.string().min(1),
  /** As Django keeps it: `<algorithm>$…`, or with `!` first where nobody can log in by it. */
  password: z.string(),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  /** ISO 8601 with an offset, as all times here. */
  date_joined: moment,
  last_login: moment,
  /** What the user has chosen for the pages; files of earlier versions of the statement have none. */
  config: z.record(z.string(), z.json()).nullable().default(null),
});

const tokenAccount = z.object({
  kind: z.literal('token'),
  id,
  user_id: id,
  version: z.literal([1, 2]),
  /** Of version 2: the part that is no secret. */
  key: z.string().nullable(),
  /** Of version 1: the token itself. */
  plaintext: z.string().nullable(),
  /** Of version 2: what the secret part comes to with the pepper `pepper_id`, hexadecimal. */
  hmac_digest: z.string().nullable().default(null),
  pepper_id: z.int().nullable().default(null),
  enabled: z.boolean(),
  write_enabled: z.boolean(),
  description: z.string(),
  created: moment,
  expires: moment,
  last_used: moment,
  /** Networks with their masks. */
  allowed_ips: z.array(z.string()).nullable(),
});

export const account = z.discriminatedUnion('kind', [userAccount, tokenAccount]);

export type TokenAccount = z.infer<typeof tokenAccount>;
/** A user with his password's hash, or a token with what it is verified by. */
export type Account = z.infer<typeof account>;
