import { touching, typeId } from '@cadastre/model';
import type { Executor } from '@cadastre/service/executor';
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
  let gathered = new Map<number, string>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    timer = undefined;
    const uses = [...gathered].sort(([a], [b]) => a - b);
    gathered = new Map();
    writing = writing
      .then(async () => {
        if (uses.length > 0)
          await db.query({ text: update, values: [uses.map(([id]) => id), uses.map(([, at]) => at)] });
      })
      .catch(failed);
    return writing;
  }

  return {
    mark(tokenId, before) {
      const now = Date.now();
      if (!enabled || (before !== null && now - before.getTime() <= everyMs)) return;
      gathered.set(tokenId, new Date(now).toISOString());
      timer ??= setTimeout(() => void write(), gatherMs);
    },
    async close() {
      clearTimeout(timer);
      await write();
    },
  };
}
