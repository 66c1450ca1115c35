// The tables of services whose objects have files.
export { MediaTableNames as Migration20261128010001_media_table_names } from '@cadastre/service/schema/infrastructure';
