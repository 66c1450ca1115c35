// The tables that every service has.
export { OutboxQueue as Migration20261121141000_outbox_queue } from '@cadastre/service/schema/infrastructure';
