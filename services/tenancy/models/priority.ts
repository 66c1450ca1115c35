import { choices } from '@cadastre/model';

/** The order in which the contacts of an object, or the members of a group, are to be tried. */
export const priorities = choices([
  ['primary', 'Primary'],
  ['secondary', 'Secondary'],
  ['tertiary', 'Tertiary'],
  ['inactive', 'Inactive'],
]);
