// The tables of services whose objects have files.
export { MediaInfrastructure as Migration00000000000001_media } from '@cadastre/service/schema/infrastructure';
