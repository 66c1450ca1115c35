import { choices } from '@cadastre/model';

/** Whether a device has bays for others, or sits in one. */
export const subdeviceRole = choices([
  ['parent', 'Parent'],
  ['child', 'Child'],
]);
