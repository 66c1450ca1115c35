/** The statements that create the tables of the queue, for the service's migrations. */
export const deliveryTables: readonly string[] = [
  // The payload is json, not jsonb: receivers see its keys in the order in which they were written, and json keeps
  // every text.
  `create table webhook_delivery (
    id bigint generated always as identity primary key,
    event_id uuid not null,
    rule_id bigint not null,
    webhook_id bigint not null,
    destination text not null,
    status text not null default 'pending' check (status in ('pending', 'running', 'succeeded', 'failed', 'cancelled')),
    event_type text not null,
    object_type text not null,
    object_id bigint not null,
    request_id uuid,
    created timestamptz not null default clock_timestamp(),
    scheduled timestamptz not null default clock_timestamp(),
    started timestamptz,
    finished timestamptz,
    lease timestamptz,
    attempts integer not null default 0,
    payload json not null,
    method text,
    url text,
    response_status integer,
    error text,
    unique (event_id, rule_id)
  )`,
  `create index webhook_delivery_pending on webhook_delivery (destination, scheduled, id) where status = 'pending'`,
  `create index webhook_delivery_running on webhook_delivery (lease) where status = 'running'`,
  // Every row is updated at least twice; the partial indexes must not fill with dead entries.
  `alter table webhook_delivery set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  `create table webhook_attempt (
    delivery_id bigint not null references webhook_delivery (id) on delete cascade,
    number integer not null,
    started timestamptz not null,
    duration_ms integer not null,
    method text,
    url text,
    request_headers jsonb,
    request_body text,
    response_status integer,
    response_headers jsonb,
    response_body text,
    error_kind text,
    error text,
    primary key (delivery_id, number)
  )`,
];

/** The channel that wakes the workers; a message with an id stops the worker that has that delivery under way. */
export const deliveryChannel = 'webhook_delivery';
