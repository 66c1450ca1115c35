export { OPERATIONS, type OperationsApi, type ParkedApi, type WireParked } from './operations/api.ts';
