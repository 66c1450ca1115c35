import pg from 'pg';
import type { ChangeEvent } from '@cadastre/events';
import { type Catalogue, quote, typeId } from '@cadastre/model';
import type { Kept, Message, Row, Rows, RuleOf, World } from './world.ts';

export interface ReadOptions {
  catalogue: Catalogue;
  databaseUrl(database: string): string;
  received: readonly Message[];
  rule: RuleOf;
}

/** Reads all databases, each in one transaction. */
export async function readWorld({ catalogue, databaseUrl, received, rule }: ReadOptions): Promise<World> {
  const world: World = {
    catalogue,
    rows: new Map(),
    replicas: new Map(),
    kept: new Map(),
    events: new Map(),
    unpublished: 0,
    parked: [],
    marks: [],
    received,
    rule,
  };
  await Promise.all(
    catalogue.services().map(async (service) => {
      const client = new pg.Client({
        connectionString: databaseUrl(`cadastre_${service}`),
        connectionTimeoutMillis: 10_000,
      });
      client.on('error', () => undefined);
      await client.connect();
      try {
        await client.query('begin isolation level repeatable read read only');
        await readService(world, service, client);
      } finally {
        await client.end();
      }
    }),
  );
  return world;
}

async function readService(world: World, service: string, client: pg.Client): Promise<void> {
  const { catalogue } = world;
  for (const model of catalogue.ownedBy(service))
    world.rows.set(model.name, await readRows(client, quote(model.table)));
  const replicas = new Map<string, Rows>();
  for (const [type, columns] of catalogue.replicas(service))
    replicas.set(type, await readRows(client, `replica.${quote(catalogue.get(type).table)}`, columns));
  world.replicas.set(service, replicas);
  if (catalogue.keepsAnyObject(service)) {
    const { rows } = await client.query<Omit<Kept, 'type'> & { type: number }>(
      'select type, id::int, version, display, brief, to_jsonb(tags) as tags from replica.any_object',
    );
    world.kept.set(
      service,
      rows.map((row) => ({ ...row, type: catalogue.typeById(row.type) ?? `? ${row.type}` })),
    );
  }
  const { rows: changes } = await client.query<{ body: string; published: boolean }>(
    'select body, not exists (select from change_queue q where q.id = change.id) as published from change order by id',
  );
  world.events.set(
    service,
    changes.map(({ body }) => JSON.parse(body) as ChangeEvent),
  );
  world.unpublished += changes.filter(({ published }) => !published).length;
  const { rows: parked } = await client.query<{ key: string; error: string }>(
    'select key, error from parked_message order by id',
  );
  world.parked.push(...parked.map((one) => ({ service, ...one })));
  const types = new Map([...catalogue.models.keys()].map((type) => [typeId(type), type]));
  const { rows: marks } = await client.query<{ type: number; id: number }>(
    'select type, id::int from deletion_mark where until > now()',
  );
  world.marks.push(...marks.map(({ type, id }) => ({ service, type: types.get(type) ?? String(type), id })));
}

/** Rows as JSON, without what a database alone would need to compare them. */
async function readRows(client: pg.Client, table: string, columns?: ReadonlySet<string>): Promise<Rows> {
  const { rows } = await client.query<{ row: Row }>(
    `select to_jsonb(t) as row from (select ${columns ? [...columns].map(quote).join(', ') : '*'} from ${table}) t`,
  );
  return new Map(rows.map(({ row }) => [Number(row.id), row]));
}
