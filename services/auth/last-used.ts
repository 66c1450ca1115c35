import { touching, typeId } from '@cadastre/model';
import type { Executor } from '@cadastre/service/executor';
import { gathered } from './gathered.ts';
import { token } from './models/token.ts';

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
  /** A token is being used; `before` is the use that is recorded already. Returns at once. */
  mark(tokenId: number, before: Date | null): void;
  /** Writes what was gathered. */
  close(): Promise<void>;
}

const update = `with changed as (
    update users_token t set last_used = used.at
    from unnest($1::bigint[], $2::timestamptz[]) as used (id, at)
    where t.id = used.id and (t.last_used is null or t.last_used < used.at) returning t.id
  ) ${touching(`select ${typeId(token.name)}, id from changed`)}`;

/** Records when tokens were last used, off the way of requests and many in one statement. */
export function lastUsed(
  db: Executor,
  { enabled, everyMs = 60_000, gatherMs = 50, failed }: LastUsedOptions,
): LastUsed {
  const uses = gathered<number, string>(
    (notes) => {
      const sorted = [...notes].sort(([a], [b]) => a - b);
      return db.query({ text: update, values: [sorted.map(([id]) => id), sorted.map(([, at]) => at)] });
    },
    { gatherMs, failed },
  );
  return {
    mark(tokenId, before) {
      const now = Date.now();
      if (!enabled || (before !== null && now - before.getTime() <= everyMs)) return;
      uses.add(tokenId, new Date(now).toISOString());
    },
    close: uses.close,
  };
}
