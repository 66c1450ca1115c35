import { invalidating, typeId } from '@cadastre/model';
import type { Executor } from '@cadastre/service/executor';
import { noteBatcher } from './noteBatcher.ts';
import { token } from '../models/token.ts';

export interface LastUsedOptions {
  /** False in maintenance mode: the database may be read-only. */
  enabled: boolean;
  /** Uses closer together than this are one. */
  everyMs?: number;
  /** How long uses are gathered before they are written together. */
  gatherMs?: number;
  failed(error: unknown): void;
}

export interface LastUsed {
  /** A token is being used from an address; `before` is the use that is recorded already. Returns at once. */
  mark(tokenId: number, before: Date | null, address: string): void;
  /** Writes what was gathered. */
  close(): Promise<void>;
}

const update = `with changed as (
    update users_token t set last_used = used.at
    from unnest($1::bigint[], $2::timestamptz[], $3::text[]) as used (id, at, address)
    where t.id = used.id and (t.last_used is null or t.last_used < used.at) returning t.id, used.address
  ), noted as (
    insert into token_use as u (token_id, address) select id, address from changed order by id
    on conflict (token_id) do update set address = excluded.address where u.address <> excluded.address
  ) ${invalidating(`select ${typeId(token.name)}, id from changed`)}`;

/** Records when tokens were last used, and from where: many in one statement, without delaying requests. */
export function lastUsed(
  db: Executor,
  { enabled, everyMs = 60_000, gatherMs = 50, failed }: LastUsedOptions,
): LastUsed {
  const uses = noteBatcher<number, { at: string; address: string }>(
    (notes) => {
      const sorted = [...notes].sort(([a], [b]) => a - b);
      return db.query({
        text: update,
        values: [sorted.map(([id]) => id), sorted.map(([, { at }]) => at), sorted.map(([, { address }]) => address)],
      });
    },
    { gatherMs, failed },
  );
  return {
    mark(tokenId, before, address) {
      const now = Date.now();
      if (!enabled || (before !== null && now - before.getTime() <= everyMs)) return;
      uses.add(tokenId, { at: new Date(now).toISOString(), address });
    },
    close: uses.close,
  };
}
