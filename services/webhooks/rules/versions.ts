import { renameTable } from '@cadastre/model';
import type { Pool } from 'pg';

// Rules and webhooks count as they were when a change was made (docs/decisions/delivery/rules-in-time.md), so the table keeps what
// they were, for as long as something may ask. Triggers write it: no way of writing a rule can pass them by.
//
// A version begins, and the one before it ends, at a moment that lies as far ahead as clocks of two machines may differ.
// The transaction then waits for as long again before it commits. So by whatever clock of the installation a change was
// timed: one that was answered before the rule's change was asked for lies before that moment, and one that was asked
// for after the rule's change was answered, or could be seen, lies after it.

/** The columns of a rule and of a webhook that decide what is sent. */
const CONTENT: Readonly<Record<string, readonly string[]>> = {
  extras_eventrule: [
    'name',
    'enabled',
    'object_types',
    'event_types',
    'conditions',
    'action_type',
    'action_object_type',
    'action_object_id',
    'action_data',
  ],
  extras_webhook: [
    'name',
    'payload_url',
    'http_method',
    'http_content_type',
    'additional_headers',
    'body_template',
    'secret',
    'secrets',
    'credentials',
    'ssl_verification',
    'ca_file_path',
  ],
};

const tables = Object.keys(CONTENT);
const names = (table: string): string => CONTENT[table]!.map((name) => `'${name}'`).join(', ');

/** Notes each version of a rule and of a webhook, as a trigger with the columns that count. */
const noteFunction = (name: string, versions: string, skew: string): string =>
  `create or replace function ${name}() returns trigger language plpgsql as $$
    declare
      moment timestamptz := clock_timestamp() + (select skew from ${skew});
      before jsonb;
      after jsonb;
    begin
      if tg_op <> 'INSERT' then select jsonb_object_agg(n, to_jsonb(old) -> n) into before from unnest(tg_argv) n; end if;
      if tg_op <> 'DELETE' then select jsonb_object_agg(n, to_jsonb(new) -> n) into after from unnest(tg_argv) n; end if;
      if before is not distinct from after then return null; end if;
      if before is not null then
        update ${versions} set until = moment where source = tg_table_name and object_id = old.id and until is null;
      end if;
      if after is not null then
        insert into ${versions} (source, object_id, since, content) values (tg_table_name, new.id, moment, after);
      end if;
      return null;
    end $$`;

/** Makes the transaction wait until the clocks of all machines have passed the start of its versions. */
const waitFunction = (name: string, skew: string): string =>
  `create or replace function ${name}() returns trigger language plpgsql as $$
    declare
      seconds float8 := extract(epoch from coalesce(new.until, new.since) + (select skew from ${skew}) - clock_timestamp());
    begin
      if seconds > 0 then perform pg_sleep(seconds); end if;
      return null;
    end $$`;

/** The statements that create the history of rules and webhooks, for the service's migrations. */
export const historyTables: readonly string[] = [
  // One row: how far the clocks of two machines may be apart.
  `create table webhook_clock (skew interval not null)`,
  `insert into webhook_clock values ('10 milliseconds')`,
  `create table webhook_history (
    id bigint generated always as identity primary key,
    source text not null,
    object_id bigint not null,
    since timestamptz not null,
    until timestamptz,
    content jsonb not null
  )`,
  `create unique index webhook_history_current on webhook_history (source, object_id) where until is null`,
  `create index webhook_history_until on webhook_history (until) where until is not null`,
  // Rules and webhooks that exist already apply to everything that has not been handled yet, as before.
  ...tables.map(
    (table) =>
      `insert into webhook_history (source, object_id, since, content)
        select '${table}', id, '-infinity', (select jsonb_object_agg(n, to_jsonb(t) -> n) from unnest(array[${names(table)}]) n) from ${table} t order by id`,
  ),
  noteFunction('webhook_history_note', 'webhook_history', 'webhook_clock'),
  ...tables.map(
    (table) =>
      `create trigger webhook_history_note after insert or update or delete on ${table} for each row execute function webhook_history_note(${names(table)})`,
  ),
  waitFunction('webhook_history_wait', 'webhook_clock'),
  // Deferred to the end of the transaction, so that it only waits once for all its changes.
  `create constraint trigger webhook_history_wait after insert or update of until on webhook_history
    deferrable initially deferred for each row execute function webhook_history_wait()`,
  // The version of its webhook that a delivery is sent with; null for the one that is current then.
  `alter table webhook_delivery add column webhook_version bigint`,
  `create index webhook_delivery_version on webhook_delivery (webhook_version) where webhook_version is not null and status in ('pending', 'running')`,
];

/** The statements that rename the tables of versions to their present names, for the service's migrations. */
export const versionTableNames: readonly string[] = [
  ...renameTable('webhook_history', 'webhook_rule_version', 'pkey', 'current', 'until'),
  'alter sequence webhook_history_id_seq rename to webhook_rule_version_id_seq',
  ...renameTable('webhook_clock', 'webhook_clock_skew'),
  ...tables.map((table) => `alter trigger webhook_history_note on ${table} rename to webhook_rule_version_note`),
  'alter trigger webhook_history_wait on webhook_rule_version rename to webhook_rule_version_wait',
  'alter function webhook_history_note rename to webhook_rule_version_note',
  'alter function webhook_history_wait rename to webhook_rule_version_wait',
  noteFunction('webhook_rule_version_note', 'webhook_rule_version', 'webhook_clock_skew'),
  waitFunction('webhook_rule_version_wait', 'webhook_clock_skew'),
];

/** Sets for all processes how far the clocks of two machines may be apart, in milliseconds. */
export const setSkew = async (pool: Pick<Pool, 'query'>, ms: number): Promise<void> => {
  await pool.query(
    `update webhook_clock_skew set skew = make_interval(secs => $1::float8 / 1000) where skew <> make_interval(secs => $1::float8 / 1000)`,
    [ms],
  );
};

// A held event needs the versions from the time of its change on; parked messages may be of any time, so nothing is
// removed while there are any.
const removal = `delete from webhook_rule_version h where until < least(
    clock_timestamp() - make_interval(mins => $1),
    (select min(coalesce(event ->> 'asOf', event ->> 'time')::timestamptz) from webhook_held_event)
  )
  and not exists (select from parked_message where "group" = $2)
  and not exists (select from webhook_delivery d where d.webhook_version = h.id and d.status in ('pending', 'running'))`;

/**
 * Removes versions that ended longer ago than the given time and that nothing waiting needs. The caller has to make
 * sure that the group has handled all events published so far. Returns how many were removed.
 */
export const trimHistory = async (
  pool: Pick<Pool, 'query'>,
  { minutes, group }: { minutes: number; group: string },
): Promise<number> => (await pool.query(removal, [minutes, group])).rowCount ?? 0;
