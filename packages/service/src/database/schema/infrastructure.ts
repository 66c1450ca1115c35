import { outboxQueue, outboxTables, parkedColumns, parkedTables } from '@cadastre/events';
import { NATURAL, renameTable } from '@cadastre/model';
import { replicaTables, tombstoneTable } from '@cadastre/rest/replicas/schema';
import { importedTables } from '@cadastre/rest/import/api/schema';
import { Migration } from '@mikro-orm/migrations';
import { REPLICA } from './entities.ts';

/**
 * What every service's database has besides the tables of its models. Existing installations have run these statements:
 * make a change by another migration class beside this one.
 */
const statements = (): string[] => [
  // Digits count as numbers and case only breaks ties. Deterministic, so that equality stays equality of bytes.
  `create collation if not exists "${NATURAL}" (provider = icu, locale = 'und-u-kn-true')`,
  `create schema if not exists "${REPLICA}"`,
  ...outboxTables(),
  ...parkedTables(),
  // What changed, for every process that caches objects. A process that polls reads from the oldest transaction that
  // was running at its last poll.
  `create table "touched" (
    "xact" xid8 not null default pg_current_xact_id(),
    "type" integer not null,
    "id" bigint not null,
    "at" timestamptz not null default now()
  )`,
  `create index "touched_xact_idx" on "touched" ("xact")`,
  `create index "touched_at_idx" on "touched" ("at")`,
  // Every row is deleted soon after it was written; the indexes must not fill with dead entries.
  `alter table "touched" set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  // What a request created and changed, for the filter `created_by_request` and the like.
  `create table "modified" ("request_id" uuid not null, "type" integer not null, "id" bigint not null, "created" boolean not null)`,
  `create index "modified_request_idx" on "modified" ("request_id", "type")`,
  // Objects that some request is about to delete, while it asks other services; the mark expires, so that a crash
  // releases them.
  `create table "being_deleted" ("type" integer not null, "id" bigint not null, "until" timestamptz not null, "by" uuid not null, primary key ("type", "id"))`,
];

/** The first migration of every service. */
export class Infrastructure extends Migration {
  override up(): void {
    for (const statement of statements()) this.addSql(statement);
  }
}

/** What replaying parked messages needs. */
export class ParkedReplays extends Migration {
  override up(): void {
    for (const statement of parkedColumns()) this.addSql(statement);
  }
}

/** What a service records about its replicas. */
export class ReplicaNotes extends Migration {
  override up(): void {
    for (const statement of replicaTables()) this.addSql(statement);
  }
}

/** The queue of events to publish, in a table apart from the events themselves. */
export class OutboxQueue extends Migration {
  override up(): void {
    for (const statement of outboxQueue()) this.addSql(statement);
  }
}

/** The table of objects that came with an import, to distinguish them from others. */
export class ImportedObjects extends Migration {
  override up(): void {
    for (const statement of importedTables()) this.addSql(statement);
  }
}

/** The names that say what is in the tables. */
export class TableNames extends Migration {
  override up(): void {
    for (const statement of [
      ...renameTable('touched', 'cache_invalidation', 'xact_idx', 'at_idx'),
      ...renameTable('modified', 'request_change', 'request_idx'),
      ...renameTable('being_deleted', 'deletion_mark', 'pkey'),
      ...tombstoneTable(),
    ])
      this.addSql(statement);
  }
}

/** For services whose objects have files. */
export class MediaInfrastructure extends Migration {
  override up(): void {
    // Files that do not belong to an object yet, or any more: they are removed after a while.
    this.addSql(`create table "media_gone" ("path" text not null primary key, "after" timestamptz not null)`);
    this.addSql(`create index "media_gone_after_idx" on "media_gone" ("after")`);
  }
}

/** The same for services whose objects have files. */
export class MediaTableNames extends Migration {
  override up(): void {
    for (const statement of renameTable('media_gone', 'media_removal', 'pkey', 'after_idx')) this.addSql(statement);
  }
}
