// The tables that every service has.
export { ImportedObjects as Migration20261123153000_imported_objects } from '@cadastre/service/schema/infrastructure';
