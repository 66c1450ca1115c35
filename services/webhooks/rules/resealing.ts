import { cellOf, placeOf, sealedIn, type Seal } from '@cadastre/model';
import { transaction } from '@cadastre/rest';
import type { Pool } from 'pg';
import { concealed } from '../models/concealed.ts';
import { HOLDERS } from '../models/credentials.ts';
import { webhook } from '../models/webhook.ts';

type Content = Record<string, unknown>;

const SEALED = ['secret', 'secrets', 'credentials'] as const;

const versions = `select id, object_id, until, content from webhook_rule_version where source = 'extras_webhook' order by object_id, id for no key update`;

/**
 * Encrypts the versions of webhooks with the newest key, as is done with the webhooks themselves. A version from before
 * secrets were hidden is replaced by the content of the next version, which is equivalent. Any process may run it at
 * any time, and repeatedly.
 */
export const resealHistory = (pool: Pool, seal: Seal): Promise<void> =>
  transaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string; object_id: string; until: Date | null; content: Content }>(
      versions,
    );
    // Newest first, so that the next version is in its final form when an older one needs it.
    let after: { object: string; content: Content } | undefined;
    for (const { id, object_id: object, until, content } of rows.toReversed()) {
      const shown = isOpen(content) && after?.object === object ? after.content : content;
      const closed = { ...shown, ...sealedAnew(shown, seal) };
      // The current version is written by the trigger on its webhook.
      if (until !== null && JSON.stringify(closed) !== JSON.stringify(content))
        await client.query('update webhook_rule_version set content = $2 where id = $1', [id, JSON.stringify(closed)]);
      after = { object, content: closed };
    }
  });

/** Whether its texts show credentials. */
const isOpen = (content: Content): boolean =>
  Object.entries(HOLDERS).some(([name, holder]) => concealed(holder, String(content[name])) !== String(content[name]));

function sealedAnew(content: Content, seal: Seal): Content {
  const anew: Content = {};
  for (const name of SEALED) {
    const field = webhook.fields[name]!;
    const place = placeOf(webhook.name, name);
    const cell = typeof content[name] === 'string' ? content[name] : JSON.stringify(content[name] ?? {});
    try {
      const texts = Object.entries(sealedIn(field, cell)).map(([key, text]) => {
        const state = seal.state(text);
        return [key, state === 'closed' ? text : seal.close(state === 'old' ? seal.open(text, place) : text, place)];
      });
      if (texts.length) {
        const made = cellOf(field, Object.fromEntries(texts));
        anew[name] = field.sealed === 'texts' ? JSON.parse(made) : made;
      }
    } catch {
      // No key opens it any more: a delivery of it takes the webhook as it is.
    }
  }
  return anew;
}
