import { mappingModel } from '../groups/portMapping.ts';

/** Which fibre of a front port leads to which of a rear port, in devices of a type. */
export const portTemplateMapping = mappingModel(
  'dcim.porttemplatemapping',
  'port template mapping',
  'dcim.frontporttemplate',
  'dcim.rearporttemplate',
);
