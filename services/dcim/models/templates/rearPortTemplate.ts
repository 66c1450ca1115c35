import { choice, color, path } from '@cadastre/model';
import { portType } from '../choices/ports/portType.ts';
import { componentTemplate } from '../groups/componentTemplate.ts';
import { frontPorts, mapsWithin, positions } from '../groups/portMapping.ts';
import { portTemplateMapping } from './portTemplateMapping.ts';

export const rearPortTemplate = componentTemplate('dcim.rearporttemplate', {
  path: 'rear-port-templates',
  imports: { later: ['front_ports'] },
  label: 'rear port template',
  fields: {
    type: choice(portType),
    color: color({ optional: true }),
    ...positions(),
    front_ports: frontPorts(portTemplateMapping),
  },
  filters: { front_port_id: path('<dcim.porttemplatemapping.rear_port/front_port') },
  effects: [mapsWithin('rear', portTemplateMapping, ['device_type', 'module_type'], 'front port templates')],
});
