import { choice, color, ref } from '@cadastre/model';
import { powerOutletStatus } from '../choices/component.ts';
import { feedLeg } from '../choices/ports/feedLeg.ts';
import { powerOutletType } from '../choices/ports/powerOutletType.ts';
import { cabledComponent, inSameDevice } from '../groups/component.ts';

/** Where a device gives power out. */
export const powerOutlet = cabledComponent('dcim.poweroutlet', {
  path: 'power-outlets',
  pages: { columns: ['device', 'label', 'type', 'status', 'power_port', 'feed_leg', 'cable', 'description'] },
  label: 'power outlet',
  fields: {
    type: choice(powerOutletType, { optional: true, nullable: true }),
    status: choice(powerOutletStatus, { default: 'enabled' }),
    color: color({ optional: true }),
    power_port: ref('dcim.powerport', { optional: true, onDelete: 'setNull' }),
    feed_leg: choice(feedLeg, { optional: true, nullable: true }),
  },
  rules: [
    inSameDevice(
      'power_port',
      'dcim.powerport',
      (port) => `Parent power port (${port}) must belong to the same device`,
    ),
  ],
});
