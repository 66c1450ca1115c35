import { count, model } from '@cadastre/model';
import { typeModel } from './types.ts';

/** What circuits are for: transit, peering … */
export const circuitType = model(
  'circuits.circuittype',
  typeModel('circuit-types', 'circuit type', { circuit_count: count('circuits.circuit', 'type') }),
);
