import { choice, color, ref } from '@cadastre/model';
import { feedLeg } from '../choices/ports/feedLeg.ts';
import { powerOutletType } from '../choices/ports/powerOutletType.ts';
import { componentTemplate, sameType } from '../groups/componentTemplate.ts';

export const powerOutletTemplate = componentTemplate('dcim.poweroutlettemplate', {
  path: 'power-outlet-templates',
  label: 'power outlet template',
  fields: {
    type: choice(powerOutletType, { optional: true, nullable: true, one: true }),
    color: color({ optional: true }),
    power_port: ref('dcim.powerporttemplate', { optional: true, onDelete: 'setNull' }),
    feed_leg: choice(feedLeg, { optional: true, nullable: true }),
  },
  rules: [sameType('power_port', 'dcim.powerporttemplate', 'Parent power port', '__all__')],
});
