import { type Engine, invalidateType, transaction } from '@cadastre/rest';
import { concealed } from '../models/concealed.ts';
import { closed, HOLDERS, openedWhole, type Whole } from '../models/credentials.ts';
import { webhook } from '../models/webhook.ts';

type Row = { id: string; credentials: string } & Record<keyof typeof HOLDERS, string>;

/**
 * Hides the credentials in the texts of webhooks that were stored before this was done on writing. Any process may run
 * it at any time, and repeatedly.
 */
export const concealStored = ({ pool, seal }: Pick<Engine, 'pool' | 'seal'>): Promise<void> =>
  transaction(pool, async (client) => {
    const { rows } = await client.query<Row>(
      `select id, payload_url, additional_headers, credentials from ${webhook.table} order by id for no key update`,
    );
    let changed = false;
    for (const row of rows) {
      const open = Object.entries(HOLDERS).filter(
        ([name, holder]) => concealed(holder, row[name as keyof typeof HOLDERS]) !== row[name as keyof typeof HOLDERS],
      ) as [keyof typeof HOLDERS, 'url' | 'headers'][];
      if (!open.length) continue;
      const whole: Whole = {
        ...openedWhole(row.credentials, seal!),
        ...Object.fromEntries(open.map(([name]) => [name, row[name]])),
      };
      const shown = {
        ...row,
        ...Object.fromEntries(open.map(([name, holder]) => [name, concealed(holder, row[name])])),
      };
      await client.query(
        `update ${webhook.table} set payload_url = $2, additional_headers = $3, credentials = $4, _version = _version + 1 where id = $1::bigint`,
        [row.id, shown.payload_url, shown.additional_headers, closed(whole, seal!)],
      );
      changed = true;
    }
    if (changed) await invalidateType(webhook.name, client);
  });
