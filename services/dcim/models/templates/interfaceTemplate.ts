import { boolean, choice, description, ref, type Rule } from '@cadastre/model';
import { interfaceType, wirelessTypes } from '../choices/ports/interfaceType.ts';
import { poeMode, poeType } from '../choices/poe.ts';
import { wirelessRole } from '../choices/wireless.ts';
import { componentTemplate, sameType } from '../groups/componentTemplate.ts';

const noBridgeToItself: Rule = ({ id, bridge }) =>
  id && id === bridge ? { bridge: ['An interface cannot be bridged to itself.'] } : undefined;

const roleOfRadio: Rule = ({ rf_role: role, type }) =>
  role && !wirelessTypes.has(type) ? { rf_role: ['Wireless role may be set only on wireless interfaces.'] } : undefined;

export const interfaceTemplate = componentTemplate('dcim.interfacetemplate', {
  path: 'interface-templates',
  pages: {
    columns: ['type', 'enabled', 'mgmt_only', 'label', 'description'],
    groups: { 'Power over Ethernet': ['poe_mode', 'poe_type'], Wireless: ['rf_role'] },
  },
  label: 'interface template',
  nested: ['name'],
  fields: {
    type: choice(interfaceType),
    enabled: boolean({ default: true }),
    mgmt_only: boolean(),
    ...description(),
    bridge: ref('dcim.interfacetemplate', { optional: true, onDelete: 'setNull', form: 'nested' }),
    poe_mode: choice(poeMode, { optional: true, nullable: true }),
    poe_type: choice(poeType, { optional: true, nullable: true }),
    rf_role: choice(wirelessRole, { optional: true, nullable: true, max: 30 }),
  },
  rules: [noBridgeToItself, sameType('bridge', 'dcim.interfacetemplate', 'Bridge interface', 'bridge'), roleOfRadio],
});
