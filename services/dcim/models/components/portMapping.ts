import { retraceMappings } from '../cabling/effects/portEffects.ts';
import { mappingModel } from '../groups/portMapping.ts';

/** Which fibre of a front port leads to which of a rear port of the same device. */
export const portMapping = mappingModel('dcim.portmapping', 'port mapping', 'dcim.frontport', 'dcim.rearport', [
  retraceMappings,
]);
