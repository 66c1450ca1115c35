export {
  OPERATIONS,
  type OperationsApi,
  type ParkedApi,
  type ReplicasApi,
  type WireParked,
  type WireReplica,
  type WireReport,
} from './api.ts';
