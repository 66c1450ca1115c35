import { choice } from '@cadastre/model';
import { powerPortType } from '../choices/ports/powerPortType.ts';
import { componentTemplate } from '../groups/componentTemplate.ts';
import { draw, drawsWithinMaximum } from '../groups/power.ts';

export const powerPortTemplate = componentTemplate('dcim.powerporttemplate', {
  path: 'power-port-templates',
  label: 'power port template',
  fields: { type: choice(powerPortType, { optional: true, nullable: true, one: true }), ...draw() },
  rules: [drawsWithinMaximum],
});
