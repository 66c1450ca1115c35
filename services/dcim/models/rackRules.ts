import type { Rule } from '@cadastre/model';
import { FROM_TYPE } from './groups/rackFrame.ts';

/** A rack of a type measures and weighs what the type says. */
export const asItsType: Rule = async (rack, context) => {
  const type = await context.related('dcim.racktype', rack['rack_type']);
  if (type) for (const name of FROM_TYPE) rack[name] = type[name] ?? null;
  return undefined;
};

/** The location of a rack lies in its site. */
export const locationInSite: Rule = async ({ location, site }, context) => {
  const within = await context.related('dcim.location', location);
  return within && within['site'] !== site ? { __all__: [`Assigned location must belong to parent site (${await context.displayOf('dcim.site', Number(site))}).`] } : undefined;
};
