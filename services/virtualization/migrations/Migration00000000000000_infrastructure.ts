// The tables that every service has.
export { Infrastructure as Migration00000000000000_infrastructure } from '@cadastre/service/schema/infrastructure';
