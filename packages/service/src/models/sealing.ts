import { cellOf, columnName, type Model, placeOf, quote, type Seal, sealedIn } from '@cadastre/model';
import { type Engine, transaction } from '@cadastre/rest';
import type { Config } from '../settings/config.ts';
import type { Log } from '../observe/log.ts';
import { ConfigError } from '../settings/read-settings.ts';
import { createSeal } from '../security/seal.ts';

const sealedFields = (model: Model) => Object.entries(model.fields).filter(([, field]) => field.sealed);

/** The encryption of secrets in a service's objects, if it has any. @throws ConfigError if there is no key for them */
export function sealOf(models: readonly Model[], { secretsKeys }: Pick<Config, 'secretsKeys'>): Seal | undefined {
  const keeps = models.filter((model) => sealedFields(model).length);
  if (!keeps.length) return undefined;
  if (!secretsKeys.length)
    throw new ConfigError([
      `SECRETS_KEYS is required: it encrypts the secrets of ${keeps.map(({ plural }) => plural).join(', ')}`,
    ]);
  return createSeal(secretsKeys);
}

/**
 * Encrypts secrets in the database that are still plain text, or encrypted with an older key. Any process may do this
 * at any time, and repeatedly.
 */
export async function reseal({ tables, pool, catalogue }: Engine, seal: Seal, log: Log): Promise<void> {
  for (const model of catalogue.ownedBy(tables.service)) {
    for (const [name, field] of sealedFields(model)) {
      const column = quote(columnName(name, field));
      const place = placeOf(model.name, name);
      const table = tables.nameOf(model.name);
      const closed = (cell: string | null): string | undefined => {
        const texts = sealedIn(field, cell);
        if (Object.values(texts).every((text) => seal.state(text) === 'closed')) return undefined;
        return cellOf(
          field,
          Object.fromEntries(
            Object.entries(texts).map(([key, text]) => [
              key,
              seal.state(text) === 'closed'
                ? text
                : seal.close(seal.state(text) === 'old' ? seal.open(text, place) : text, place),
            ]),
          ),
        );
      };
      await transaction(pool, async (client) => {
        const { rows } = await client.query<{ id: string; cell: string | null }>(
          `select id, ${column}::text as cell from ${table} where ${column} is not null order by id for no key update`,
        );
        for (const { id, cell } of rows) {
          try {
            const text = closed(cell);
            if (text !== undefined)
              await client.query(
                `update ${table} set ${column} = $2::text::${field.column!.type} where id = $1::bigint`,
                [id, text],
              );
          } catch (error) {
            log.error(
              { err: error, type: model.name, id, field: name },
              'a secret cannot be opened by any of SECRETS_KEYS',
            );
          }
        }
      });
    }
  }
}
