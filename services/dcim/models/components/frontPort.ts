import { choice, color, path } from '@cadastre/model';
import { retraceResized } from '../cabling/effects/portEffects.ts';
import { portType } from '../choices/ports/portType.ts';
import { cabledComponent } from '../groups/component.ts';
import { rearPorts, mapsWithin, positions } from '../groups/portMapping.ts';
import { portMapping } from './portMapping.ts';

/** The side of a panel that patch cables go to. */
export const frontPort = cabledComponent('dcim.frontport', {
  path: 'front-ports',
  pages: { columns: ['device', 'label', 'type', 'positions', 'color', 'cable', 'description'] },
  imports: {
    columns: {
      rear_port: {
        is: 'object',
        of: 'dcim.rearport',
        among: { device_id: 'device' },
        puts: (rear_port, { rear_port_position }) => ({
          rear_ports: [{ position: 1, rear_port, rear_port_position: rear_port_position ?? 1 }],
        }),
      },
      rear_port_position: { is: 'integer', needs: [['rear_port']] },
    },
  },
  label: 'front port',
  fields: {
    type: choice(portType),
    color: color({ optional: true }),
    ...positions(),
    rear_ports: rearPorts(portMapping),
  },
  filters: { rear_port_id: path('<dcim.portmapping.front_port/rear_port') },
  effects: [retraceResized('dcim.frontport'), mapsWithin('front', portMapping, ['device'], 'rear ports')],
});
