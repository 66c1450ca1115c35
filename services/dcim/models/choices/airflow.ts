import { choices } from '@cadastre/model';

/** Which way air goes through a device. */
export const deviceAirflow = choices([
  ['front-to-rear', 'Front to rear'],
  ['rear-to-front', 'Rear to front'],
  ['left-to-right', 'Left to right'],
  ['right-to-left', 'Right to left'],
  ['side-to-rear', 'Side to rear'],
  ['rear-to-side', 'Rear to side'],
  ['bottom-to-top', 'Bottom to top'],
  ['top-to-bottom', 'Top to bottom'],
  ['passive', 'Passive'],
  ['mixed', 'Mixed'],
]);

/** Which way air goes through a module. */
export const moduleAirflow = choices([
  ['front-to-rear', 'Front to rear'],
  ['rear-to-front', 'Rear to front'],
  ['left-to-right', 'Left to right'],
  ['right-to-left', 'Right to left'],
  ['side-to-rear', 'Side to rear'],
  ['passive', 'Passive'],
]);

/** Which way air goes through a rack. */
export const rackAirflow = choices([
  ['front-to-rear', 'Front to rear'],
  ['rear-to-front', 'Rear to front'],
]);
