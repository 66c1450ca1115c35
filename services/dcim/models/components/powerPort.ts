import { choice } from '@cadastre/model';
import { powerPortType } from '../choices/ports/powerPortType.ts';
import { cabledComponent } from '../groups/component.ts';
import { draw, drawsWithinMaximum } from '../groups/power.ts';

/** Where a device takes power in. */
export const powerPort = cabledComponent('dcim.powerport', {
  path: 'power-ports',
  pages: { columns: ['device', 'label', 'type', 'maximum_draw', 'allocated_draw', 'cable', 'description'] },
  label: 'power port',
  fields: { type: choice(powerPortType, { optional: true, nullable: true }), ...draw() },
  rules: [drawsWithinMaximum],
});
