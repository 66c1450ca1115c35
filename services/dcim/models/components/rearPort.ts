import { choice, color, path } from '@cadastre/model';
import { retraceResized } from '../cabling/effects/portEffects.ts';
import { portType } from '../choices/ports/portType.ts';
import { cabledComponent } from '../groups/component.ts';
import { frontPorts, mapsWithin, positions } from '../groups/portMapping.ts';
import { portMapping } from './portMapping.ts';

/** The side of a panel that trunks go to. */
export const rearPort = cabledComponent('dcim.rearport', {
  path: 'rear-ports',
  pages: { columns: ['device', 'label', 'type', 'positions', 'color', 'cable', 'description'] },
  imports: { later: ['front_ports'] },
  label: 'rear port',
  fields: {
    type: choice(portType),
    color: color({ optional: true }),
    ...positions(),
    front_ports: frontPorts(portMapping),
  },
  filters: { front_port_id: path('<dcim.portmapping.rear_port/front_port') },
  effects: [retraceResized('dcim.rearport'), mapsWithin('rear', portMapping, ['device'], 'front ports')],
});
