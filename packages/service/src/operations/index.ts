export {
  OPERATIONS,
  type OperationsApi,
  type WireParked,
  type WireReplica,
  type WireReport,
} from './api.ts';
