import { fileURLToPath } from 'node:url';
import { type Catalogue, loadCatalogue, typeId } from '@cadastre/model';
import { Tables } from '@cadastre/rest/db/tables';
import pg from 'pg';

/** Checks every row that changes in the databases of a system. */
export interface Watched {
  /**
   * Changes without a row in `cache_invalidation`, from which every process learns what it must forget: service, table,
   * operation and columns.
   */
  untold(): Promise<string[]>;
}

// Checked at commit, as the row may be written before or after the change.
const program = `
  create table untold (what text not null);
  create index untold_look on cache_invalidation (xact);
  create function look_for_untold() returns trigger language plpgsql security definer as $$
    declare o jsonb; n jsonb; columns text;
    begin
      if tg_op <> 'INSERT' then o := to_jsonb(old); end if;
      if tg_op <> 'DELETE' then n := to_jsonb(new); end if;
      if tg_op = 'UPDATE' then
        select string_agg(key, ',' order by key) into columns from jsonb_each(n) where o -> key is distinct from value;
        if columns is null then return null; end if;
      end if;
      if not exists (select from cache_invalidation where xact = pg_current_xact_id() and type in (tg_argv[0]::int, ${typeId('*')}) and id in (0, coalesce(n ->> 'id', o ->> 'id')::bigint)) then
        insert into untold values (concat_ws(' ', tg_table_schema || '.' || tg_table_name, lower(tg_op), columns));
      end if;
      return null;
    end $$`;

const triggers = (catalogue: Catalogue, service: string): string[] => {
  const tables = new Tables(catalogue, service);
  return [...catalogue.models.values()]
    .filter((model) => tables.has(model.name))
    .map(
      (model) =>
        `create constraint trigger look_for_untold after insert or update or delete on ${tables.nameOf(model.name)} deferrable initially deferred for each row execute function look_for_untold('${typeId(model.name)}')`,
    );
};

/** Watches the tables of all services from now on; `databaseUrl` returns the address of a service's database. */
export async function watchUntold(databaseUrl: (service: string) => string): Promise<Watched> {
  const catalogue = await loadCatalogue(fileURLToPath(new URL('../../../services', import.meta.url)));
  const within = async <T>(service: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: databaseUrl(service) });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  for (const service of catalogue.services())
    await within(service, async (client) => {
      await client.query(program);
      // One by one: holding the lock of one table while waiting for another could deadlock with the service.
      for (const trigger of triggers(catalogue, service)) await client.query(trigger);
    });
  return {
    async untold() {
      const all: string[] = [];
      for (const service of catalogue.services()) {
        const { rows } = await within(service, (client) =>
          client.query<{ what: string }>('select distinct what from untold order by what'),
        );
        all.push(...rows.map(({ what }) => `${service}: ${what}`));
      }
      return all;
    },
  };
}
