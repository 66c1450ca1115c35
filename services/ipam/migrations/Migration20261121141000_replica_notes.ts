// The tables that every service has.
export { ReplicaNotes as Migration20261121141000_replica_notes } from '@cadastre/service/schema/infrastructure';
