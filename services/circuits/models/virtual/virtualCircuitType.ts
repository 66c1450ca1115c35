import { count, model } from '@cadastre/model';
import { typeModel } from '../types.ts';

/** What virtual circuits are for. */
export const virtualCircuitType = model(
  'circuits.virtualcircuittype',
  typeModel('virtual-circuit-types', 'virtual circuit type', {
    virtual_circuit_count: count('circuits.virtualcircuit', 'type'),
  }),
);
