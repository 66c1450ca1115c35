import type { Config } from '@cadastre/service';
import type { Space } from './models/uniqueSpace.ts';

/** The facilities that rules of this service ask for by name. */
export const facilities = ({ enforceGlobalUnique }: Pick<Config, 'enforceGlobalUnique'>): { space: Space } => ({
  space: { enforceGlobalUnique },
});
