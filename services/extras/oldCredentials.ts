import type { Pool } from 'pg';
import { invalidateType, transaction } from '@cadastre/rest';
import { concealedTexts } from '../webhooks/models/credentials.ts';
import { objectChange } from './models/objectChange.ts';

interface Row {
  id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

const AT_ONCE = 1_000;

/**
 * Masks the credentials of webhooks in change records that were made before events came without them. Any process may
 * do so at any time, and repeatedly.
 */
export async function concealOldCredentials(pool: Pool): Promise<void> {
  for (let last = '0'; last; ) {
    last = await transaction(pool, async (client) => {
      const { rows } = await client.query<Row>(
        `select id, prechange_data as before, postchange_data as after from ${objectChange.table} where changed_object_type = 'extras.webhook' and id > $1::bigint order by id limit ${AT_ONCE}`,
        [last],
      );
      let changed = false;
      for (const { id, before, after } of rows) {
        const [hidden, hiddenAfter] = [before, after].map((state) => state && concealedTexts(state));
        if (JSON.stringify([before, after]) === JSON.stringify([hidden, hiddenAfter])) continue;
        await client.query(
          `update ${objectChange.table} set prechange_data = $2::jsonb, postchange_data = $3::jsonb where id = $1::bigint`,
          [id, JSON.stringify(hidden), JSON.stringify(hiddenAfter)],
        );
        changed = true;
      }
      if (changed) await invalidateType(objectChange.name, client);
      return rows.length < AT_ONCE ? '' : rows.at(-1)!.id;
    });
  }
}
