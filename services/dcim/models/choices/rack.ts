import { choices } from '@cadastre/model';

/** How a rack is built. */
export const rackFormFactor = choices([
  ['2-post-frame', '2-post frame'],
  ['4-post-frame', '4-post frame'],
  ['4-post-cabinet', '4-post cabinet'],
  ['wall-frame', 'Wall-mounted frame'],
  ['wall-frame-vertical', 'Wall-mounted frame (vertical)'],
  ['wall-cabinet', 'Wall-mounted cabinet'],
  ['wall-cabinet-vertical', 'Wall-mounted cabinet (vertical)'],
]);

/** Distance between the rails, in inches. */
export const rackWidth = choices([
  [10, '10 inches'],
  [19, '19 inches'],
  [21, '21 inches'],
  [23, '23 inches'],
]);

/** Units of outer dimensions. */
export const dimensionUnit = choices([
  ['mm', 'Millimeters'],
  ['in', 'Inches'],
]);

/** The sides of a rack that devices are mounted on. */
export const rackFace = choices([
  ['front', 'Front'],
  ['rear', 'Rear'],
]);

export const rackStatus = choices([
  ['reserved', 'Reserved'],
  ['available', 'Available'],
  ['planned', 'Planned'],
  ['active', 'Active'],
  ['deprecated', 'Deprecated'],
]);

export const reservationStatus = choices([
  ['pending', 'Pending'],
  ['active', 'Active'],
  ['stale', 'Stale'],
]);
