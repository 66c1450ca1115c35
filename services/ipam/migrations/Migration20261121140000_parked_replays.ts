// The tables that every service has.
export { ParkedReplays as Migration20261121140000_parked_replays } from '@cadastre/service/schema/infrastructure';
