import { choices } from '@cadastre/model';

/** How an interface takes part in VLANs (802.1Q). */
export const interfaceMode = choices([
  ['access', 'Access'],
  ['tagged', 'Tagged'],
  ['tagged-all', 'Tagged (All)'],
  ['q-in-q', 'Q-in-Q (802.1ad)'],
]);
