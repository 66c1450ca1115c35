import { choices } from '@cadastre/model';

export const deviceStatus = choices([
  ['offline', 'Offline'],
  ['active', 'Active'],
  ['planned', 'Planned'],
  ['staged', 'Staged'],
  ['failed', 'Failed'],
  ['inventory', 'Inventory'],
  ['decommissioning', 'Decommissioning'],
]);

/** Of what is put into a device: modules and inventory items. */
export const partStatus = choices([
  ['offline', 'Offline'],
  ['active', 'Active'],
  ['planned', 'Planned'],
  ['staged', 'Staged'],
  ['failed', 'Failed'],
  ['decommissioning', 'Decommissioning'],
]);

export const virtualDeviceContextStatus = choices([
  ['active', 'Active'],
  ['planned', 'Planned'],
  ['offline', 'Offline'],
]);
