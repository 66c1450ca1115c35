import { renameTable } from '@cadastre/model';

/**
 * The statements that create what a service notes about its replicas, for its migrations. Installations have run them.
 */
export const replicaTables = (): string[] => [
  // What each replica was filled with, and whether it has to be filled (again): when it was asked for more often than
  // it was done.
  `create table if not exists "replica_state" (
    "type" text primary key,
    "contents" text null,
    "asked" int not null default 1,
    "done" int not null default 0,
    "reason" text not null,
    "filled_at" timestamptz null,
    "result" jsonb null,
    "error" text null
  )`,
  `create table if not exists "replica_gone" (
    "type" int not null,
    "id" bigint not null,
    "at" timestamptz not null default clock_timestamp(),
    primary key ("type", "id")
  )`,
  `create index if not exists "replica_gone_at" on "replica_gone" ("at")`,
];

/** The statements that give the table of tombstones its name, for the services' migrations. */
export const tombstoneTable = (): string[] => renameTable('replica_gone', 'replica_tombstone', 'pkey', 'at');
