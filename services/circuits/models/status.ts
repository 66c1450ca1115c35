import { choices } from '@cadastre/model';

/** The life-cycle states of circuits and virtual circuits. */
export const circuitStatus = choices([
  ['planned', 'Planned'],
  ['provisioning', 'Provisioning'],
  ['active', 'Active'],
  ['offline', 'Offline'],
  ['deprovisioning', 'Deprovisioning'],
  ['decommissioned', 'Decommissioned'],
]);
