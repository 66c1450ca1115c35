import type { Config } from '@cadastre/service';
import type { Space } from './models/uniqueSpace.ts';

/** What the rules of this service's models ask for by name. */
export const facilities = ({ enforceGlobalUnique }: Pick<Config, 'enforceGlobalUnique'>): { space: Space } => ({
  space: { enforceGlobalUnique },
});
