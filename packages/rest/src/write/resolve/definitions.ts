import type { Model } from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { CustomFieldDefinitions } from '../../cache/customFieldDefinitions.ts';
import { ANYBODY } from '../../core/requester.ts';
import { rowsOf } from '../../db/sql.ts';
import type { WriteEngine } from '../context/engine.ts';
import type { Item } from '../context/item.ts';
import { resolve } from './references.ts';

const CUSTOM_FIELD = 'extras.customfield';

/** How many unknown names of custom fields are asked for at most. */
const MAX_ASKED = 50;

/**
 * The custom fields of a model. A name that is not known here is asked for at their owner: its event may still be on
 * the way.
 */
export async function definitionsFor(
  engine: WriteEngine,
  model: Model,
  items: Item[],
  client: PoolClient,
): Promise<CustomFieldDefinitions> {
  const known = await engine.definitions(client);
  const unknown = new Set(
    items
      .flatMap((item) => Object.keys(item.customFields ?? {}))
      .filter((name) => !known.of(model.name).some((field) => field.name === name)),
  );
  if (!unknown.size || unknown.size > MAX_ASKED || engine.tables.owns(CUSTOM_FIELD)) return known;
  const found = await resolve(
    engine,
    CUSTOM_FIELD,
    [...unknown].map((name) => ({ attributes: { name } })),
    ANYBODY,
    client,
  );
  if (!found.some((result) => 'id' in result)) return known;
  const sets = await rowsOf(client, {
    text: `select distinct choice_set_id from ${engine.tables.nameOf(CUSTOM_FIELD)} where name = any($1::text[]) and choice_set_id is not null`,
    values: [[...unknown]],
  });
  await resolve(
    engine,
    'extras.customfieldchoiceset',
    sets.map(([id]) => ({ id: Number(id) })),
    ANYBODY,
    client,
  );
  return engine.definitions(client, true);
}
