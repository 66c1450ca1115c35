import { choices } from '@cadastre/model';

export const powerFeedStatus = choices([
  ['offline', 'Offline'],
  ['active', 'Active'],
  ['planned', 'Planned'],
  ['failed', 'Failed'],
]);
export const powerFeedType = choices([
  ['primary', 'Primary'],
  ['redundant', 'Redundant'],
]);
export const powerSupply = choices([
  ['ac', 'AC'],
  ['dc', 'DC'],
]);
export const powerPhase = choices([
  ['single-phase', 'Single phase'],
  ['three-phase', 'Three-phase'],
]);
