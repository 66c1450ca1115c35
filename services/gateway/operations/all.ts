import type { OperationsClients } from './clients.ts';
import type { Operation } from './operation.ts';
import { parkedEvents } from './parked.ts';
import { replicas } from './replicas.ts';

/** Everything that administrators may ask of the whole system, by subject. */
export const allOperations = (clients: OperationsClients): Operation[] => [
  ...parkedEvents(clients),
  ...replicas(clients),
];
