import { choice, color, path } from '@cadastre/model';
import { portType } from '../choices/ports/portType.ts';
import { componentTemplate } from '../groups/componentTemplate.ts';
import { mapsWithin, positions, rearPorts } from '../groups/portMapping.ts';
import { portTemplateMapping } from './portTemplateMapping.ts';

export const frontPortTemplate = componentTemplate('dcim.frontporttemplate', {
  path: 'front-port-templates',
  label: 'front port template',
  fields: {
    type: choice(portType),
    color: color({ optional: true }),
    ...positions(),
    rear_ports: rearPorts(portTemplateMapping),
  },
  filters: { rear_port_id: path('<dcim.porttemplatemapping.front_port/rear_port') },
  effects: [mapsWithin('front', portTemplateMapping, ['device_type', 'module_type'], 'rear port templates')],
});
