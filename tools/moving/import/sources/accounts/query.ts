import { z } from 'zod';

/**
 * The SQL that an operator runs against NetBox's database (4.2 to 4.6), with `psql -At`, as its API shows neither
 * passwords nor tokens, nor the preferences of users. It returns users and tokens as lines of JSON, users first, after
 * a line that says how many of each follow. Rows are read by `to_jsonb` because older versions have fewer columns:
 * before 4.5 a token is its `key`, in clear text.
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

/** The first line: how many accounts there are, so that a truncated file is not taken for the whole. */
export const accountsHead = z.object({
  kind: z.literal('accounts'),
  /** JSON writes it with a backslash, which shows whether all backslashes were doubled. */
  quote: z.literal('"'),
  users: z.int().nonnegative(),
  tokens: z.int().nonnegative(),
});

const userAccount = z.object({
  kind: z.literal('user'),
  id,
  username: z.string().min(1),
  /** In Django's format: `<algorithm>$…`, or with a leading `!` where it cannot be used to log in. */
  password: z.string(),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  /** ISO 8601 with an offset, as all times here. */
  date_joined: moment,
  last_login: moment,
  /** The preferences of the user; files of earlier versions of the statement have none. */
  config: z.record(z.string(), z.json()).nullable().default(null),
});

const tokenAccount = z.object({
  kind: z.literal('token'),
  id,
  user_id: id,
  version: z.literal([1, 2]),
  /** Of version 2: the part that is not secret. */
  key: z.string().nullable(),
  /** Of version 1: the token itself. */
  plaintext: z.string().nullable(),
  /** Of version 2: the digest of the secret part with the pepper `pepper_id`, hexadecimal. */
  hmac_digest: z.string().nullable().default(null),
  pepper_id: z.int().nullable().default(null),
  enabled: z.boolean(),
  write_enabled: z.boolean(),
  description: z.string(),
  created: moment,
  expires: moment,
  last_used: moment,
  /** Networks in CIDR notation. */
  allowed_ips: z.array(z.string()).nullable(),
});

export const account = z.discriminatedUnion('kind', [userAccount, tokenAccount]);

export type TokenAccount = z.infer<typeof tokenAccount>;
/** A user with the password's hash, or a token with the values by which it is verified. */
export type Account = z.infer<typeof account>;
