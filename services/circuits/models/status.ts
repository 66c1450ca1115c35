import { choices } from '@cadastre/model';

/** Where circuits and virtual circuits are in their life. */
export const circuitStatus = choices([
  ['planned', 'Planned'],
  ['provisioning', 'Provisioning'],
  ['active', 'Active'],
  ['offline', 'Offline'],
  ['deprovisioning', 'Deprovisioning'],
  ['decommissioned', 'Decommissioned'],
]);
