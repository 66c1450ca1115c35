// Rules that components of all kinds have.
import type { Rule } from '@cadastre/model';

/** A component stays in its device. */
export const staysInDevice: Rule = ({ device }, { before }) =>
  (before && before['device'] !== device ? { device: ['Components cannot be moved to a different device.'] } : undefined);
