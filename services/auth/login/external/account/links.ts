import { arrayItems } from '@cadastre/model';
import type { Executor } from '@cadastre/service/executor';
import type { ExternalPerson } from './person.ts';

/** Which account somebody of another system has here. */
export interface Link {
  userId: number;
  /** Groups that the system gave, by id. */
  groups: number[];
  /** Whether the account was turned off because the system no longer knew its user. */
  turnedOff: boolean;
}

type Of = Pick<ExternalPerson, 'source' | 'subject'>;

/** The account of somebody who has been here before. */
export async function linkOf(db: Executor, { source, subject }: Of): Promise<Link | null> {
  const {
    rows: [row],
  } = await db.query<{ user_id: string; groups: string; off: boolean }>({
    name: 'auth-external-link',
    text: 'select user_id, groups::text as groups, turned_off is not null as off from external_account where source = $1 and subject = $2',
    values: [source, subject],
  });
  return row ? { userId: Number(row.user_id), groups: arrayItems(row.groups).map(Number), turnedOff: row.off } : null;
}

/** Whether an account is that of somebody in another system already. */
export async function isLinked(db: Executor, userId: number): Promise<boolean> {
  const { rows } = await db.query({
    name: 'auth-external-linked',
    text: 'select 1 from external_account where user_id = $1 limit 1',
    values: [userId],
  });
  return rows.length > 0;
}

/** Notes whose account it is, and which groups came from there. */
export async function keepLink(
  db: Executor,
  { source, subject }: Of,
  { userId, groups }: Omit<Link, 'turnedOff'>,
): Promise<void> {
  await db.query({
    name: 'auth-external-keep',
    text: `insert into external_account (source, subject, user_id, groups) values ($1, $2, $3, $4)
      on conflict (source, subject) do update set user_id = excluded.user_id, groups = excluded.groups, last_seen = now(), turned_off = null`,
    values: [source, subject, userId, groups],
  });
}
