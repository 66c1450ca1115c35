import { choices } from '@cadastre/model';

/** Phases of a three-phase supply. */
export const feedLeg = choices([
  ['A', 'A'],
  ['B', 'B'],
  ['C', 'C'],
]);
