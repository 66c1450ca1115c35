import { choices } from '@cadastre/model';

export const clusterStatus = choices([
  ['planned', 'Planned'],
  ['staging', 'Staging'],
  ['active', 'Active'],
  ['decommissioning', 'Decommissioning'],
  ['offline', 'Offline'],
]);

export const virtualMachineStatus = choices([
  ['offline', 'Offline'],
  ['active', 'Active'],
  ['planned', 'Planned'],
  ['staged', 'Staged'],
  ['failed', 'Failed'],
  ['decommissioning', 'Decommissioning'],
  ['paused', 'Paused'],
]);

/** What a virtual machine does when its host starts. */
export const startOnBoot = choices([
  ['on', 'On'],
  ['off', 'Off'],
  ['laststate', 'Last State'],
]);
