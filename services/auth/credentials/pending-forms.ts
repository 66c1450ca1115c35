import { createHash } from 'node:crypto';
import type { Config } from '@cadastre/service/config';
import type { Executor } from '@cadastre/service/executor';

/**
 * What somebody had typed before their login continued elsewhere, or before they had to set up a second factor. The
 * gateway has encrypted it: here it is just a text under a key.
 */
export interface PendingForm {
  key: string;
  content: string;
  /** Of the client. */
  address: string;
}

/** Clients without a login can have forms stored, so these are limited in number and expire soon. */
export type PendingFormLimits = Pick<Config, 'pendingForms' | 'pendingFormsPerAddress' | 'pendingFormSeconds'>;

/** Only a digest of the key is stored, so that read access to the database is not enough to fetch a form. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** Keeps one; of too many from one address the oldest goes. False when there is no room. */
export async function savePendingForm(
  db: Executor,
  { key, content, address }: PendingForm,
  { pendingForms, pendingFormsPerAddress, pendingFormSeconds }: PendingFormLimits,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'auth-keep-form',
    text: `with over as (delete from pending_form where until < now()),
      too_many as (delete from pending_form where key in (
        select key from pending_form where address = $2 and until >= now() order by until desc, key offset $5::int - 1) returning 1)
      insert into pending_form (key, address, content, until) select $1, $2, $3, now() + make_interval(secs => $4)
      where (select count(*) from pending_form where until >= now()) - (select count(*) from too_many) < $6`,
    values: [digest(key), address.slice(0, 45), content, pendingFormSeconds, pendingFormsPerAddress, pendingForms],
  });
  return rowCount === 1;
}

/** Fetches and deletes one; null if it does not exist or has expired. */
export async function takePendingForm(db: Executor, key: string): Promise<string | null> {
  const {
    rows: [row],
  } = await db.query<{ content: string; good: boolean }>({
    name: 'auth-take-form',
    text: 'delete from pending_form where key = $1 returning content, until > now() as good',
    values: [digest(key)],
  });
  return row?.good ? row.content : null;
}
