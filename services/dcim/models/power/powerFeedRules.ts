import type { Rule } from '@cadastre/model';

/** A feed goes to a rack of the site in which its panel is. */
export const rackInSiteOfPanel: Rule = async ({ rack, power_panel }, context) => {
  const [fed, panel] = await Promise.all([
    context.related('dcim.rack', rack),
    context.related('dcim.powerpanel', power_panel),
  ]);
  if (!fed || !panel || fed['site'] === panel['site']) return undefined;
  const name = (type: string, id: unknown) => context.displayOf(type, Number(id));
  return {
    __all__: [
      `Rack ${await name('dcim.rack', rack)} (${await name('dcim.site', fed['site'])}) and power panel ${await name('dcim.powerpanel', power_panel)} (${await name('dcim.site', panel['site'])}) are in different sites.`,
    ],
  };
};

/** The voltage of a feed is not zero, and that of alternating current is not negative. */
export const voltageFits: Rule = ({ voltage, supply }) => {
  if (voltage === 0) return { voltage: ['This value may not be 0.'] };
  return Number(voltage) < 0 && supply === 'ac' ? { voltage: ['Voltage cannot be negative for AC supply'] } : undefined;
};

const THREE_PHASES = 1.732;

/** What a feed can give, in volt-amperes. */
export const availablePower: Rule = (feed) => {
  const power = Math.abs(Number(feed['voltage'])) * Number(feed['amperage']) * (Number(feed['max_utilization']) / 100);
  feed['available_power'] = Math.round(feed['phase'] === 'three-phase' ? power * THREE_PHASES : power);
  return undefined;
};
