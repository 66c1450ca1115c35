import { apiPath, type Catalogue } from '@cadastre/model';
import pg from 'pg';
import { EXAMPLES, withoutChance } from './examples.ts';

/** A message as the relay sends it. The text of an event is JSON, shown here parsed. */
export interface Example {
  readonly key: string;
  readonly value: unknown;
}

/**
 * Has a service that runs alone publish its example; `database` is its own, which contains the outbox. @throws Error
 */
export async function makeExample(
  service: string,
  at: { readonly base: string; readonly database: string; readonly catalogue: Catalogue },
): Promise<Example> {
  const { type, body } = EXAMPLES[service]!;
  const answer = await fetch(at.base + apiPath(at.catalogue.get(type)), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${service} refuses its example: ${answer.status} ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: number };
  const client = new pg.Client({ connectionString: at.database });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string; body: string }>('select key, body from change where key = $1', [
      `${type}:${id}`,
    ]);
    return { key: rows[0]!.key, value: JSON.parse(withoutChance(rows[0]!.body)) };
  } finally {
    await client.end();
  }
}
