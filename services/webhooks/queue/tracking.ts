import { renameTable } from '@cadastre/model';

/** The statements that add what operators see and control to the tables of the queue, for the service's migrations. */
export const trackingTables: readonly string[] = [
  // `url` is the delivery's own address in the API.
  'alter table webhook_delivery rename column url to request_url',
  `alter table webhook_delivery
    alter column rule_id drop not null,
    add column kind text not null default 'event' check (kind in ('event', 'test', 'replay')),
    add column replay_id bigint,
    add column tries integer not null default 0,
    add column requeues integer not null default 0,
    add column requested_by text,
    add column cancelled_by text,
    add column worker text,
    add column error_kind text,
    add column changed xid8 not null default pg_current_xact_id(),
    drop constraint webhook_delivery_event_id_rule_id_key,
    add constraint webhook_delivery_once unique nulls not distinct (event_id, rule_id, replay_id)`,
  `update webhook_delivery set tries = attempts where attempts > 0`,
  `alter table webhook_attempt add column worker text`,
  // An object's unfinished deliveries, for those that wait for each other.
  `create index webhook_delivery_unfinished on webhook_delivery (webhook_id, object_type, object_id, id) where status in ('pending', 'running')`,
  `create index webhook_delivery_failed on webhook_delivery (id) where status in ('failed', 'cancelled')`,
  `create index webhook_delivery_finished on webhook_delivery (finished) where finished is not null`,
  `create index webhook_delivery_changed on webhook_delivery (changed)`,
  `create index webhook_delivery_webhook on webhook_delivery (webhook_id, id)`,
  `create index webhook_delivery_object on webhook_delivery (object_type, object_id, id)`,
  `create index webhook_delivery_request on webhook_delivery (request_id)`,
  // How much of its rate a destination has left; only kept where there is a limit.
  `create table webhook_destination (destination text primary key, tokens double precision not null, refilled timestamptz not null)`,
  // Since when every delivery of a rule has failed, and when the last did.
  `create table webhook_failing (rule_id bigint primary key, since timestamptz not null, last timestamptz not null)`,
  // The processes that deliver, as they report themselves.
  `create table webhook_worker (
    name text primary key, host text not null, pid integer not null, birth timestamptz not null, seen timestamptz not null,
    running integer not null default 0, succeeded bigint not null default 0, failed bigint not null default 0, seconds double precision not null default 0
  )`,
  // Events of the past that are sent to a webhook once more; the position is that of the last one that was queued.
  `create table webhook_replay (
    id bigint generated always as identity primary key,
    webhook_id bigint not null,
    since timestamptz not null,
    until timestamptz not null,
    object_types text[] not null default '{}',
    status text not null default 'pending' check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
    requested_by text,
    events integer not null default 0,
    deliveries integer not null default 0,
    position_time timestamptz,
    position_id bigint,
    error text,
    created timestamptz not null default clock_timestamp(),
    started timestamptz,
    finished timestamptz
  )`,
  `create index webhook_replay_unfinished on webhook_replay (id) where status in ('pending', 'running')`,
];

/** The statements that give the table of failing rules its present name. */
export const failingTableName: readonly string[] = renameTable('webhook_failing', 'webhook_failing_rule', 'pkey');
