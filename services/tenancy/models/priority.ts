import { choices } from '@cadastre/model';

/** In which order the contacts of an object, or the members of a group, are asked. */
export const priorities = choices([
  ['primary', 'Primary'],
  ['secondary', 'Secondary'],
  ['tertiary', 'Tertiary'],
  ['inactive', 'Inactive'],
]);
