// The tables that every service has.
export { TableNames as Migration20261128010000_table_names } from '@cadastre/service/schema/infrastructure';
