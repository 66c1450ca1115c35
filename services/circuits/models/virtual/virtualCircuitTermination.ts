import {
  choice,
  choices,
  customFields,
  description,
  type Feature,
  model,
  path,
  ref,
  type Rule,
  tags,
  timestamps,
} from '@cadastre/model';
import { virtualTypes } from '../../../dcim/models/choices/ports/interfaceType.ts';

const features: Feature[] = [
  'tags',
  'customFields',
  'changeLogging',
  'eventRules',
  'exportTemplates',
  'customLinks',
  'timestamps',
];

/** Peers all reach each other; spokes reach the hubs. */
export const roles = choices([
  ['peer', 'Peer'],
  ['hub', 'Hub'],
  ['spoke', 'Spoke'],
]);

/** Virtual circuits have no plug. */
export const isVirtual: Rule = async ({ interface: id }, { related }) => {
  const it = await related('dcim.interface', id);
  return it && !virtualTypes.has(String(it['type']))
    ? { __all__: ['Virtual circuits may be terminated only to virtual interfaces.'] }
    : undefined;
};

const circuit = 'virtual_circuit';
const network = `${circuit}.provider_network`;
const account = `${circuit}.provider_account`;

/** An interface at which a virtual circuit ends. */
export const virtualCircuitTermination = model('circuits.virtualcircuittermination', {
  path: 'virtual-circuit-terminations',
  pages: { columns: ['virtual_circuit', 'role', 'interface', 'description'] },
  imports: { by: { interface: 'id' } },
  label: 'virtual circuit termination',
  belongsTo: 'virtual_circuit',
  ordering: ['virtual_circuit', 'role', 'id'],
  features,
  brief: ['virtual_circuit', 'role', 'interface', 'description'],
  search: ['description', 'virtual_circuit.cid'],
  display: {
    columns: ['role'],
    related: ['virtual_circuit'],
    text: ([role], [name]) => `${name}: ${roles.find((r) => r.value === role)?.label ?? role} termination`,
  },
  fields: {
    virtual_circuit: ref('circuits.virtualcircuit', { onDelete: 'cascade', backwards: 'terminations' }),
    role: choice(roles, { default: 'peer' }),
    interface: ref('dcim.interface', { onDelete: 'cascade', unique: true }),
    ...description(),
    tags: tags(),
    custom_fields: customFields(),
    ...timestamps(),
  },
  filters: {
    provider_id: path(`${network}.provider`),
    provider: path(`${network}.provider`, 'slug'),
    provider_network_id: path(network),
    provider_account_id: path(account),
    provider_account: path(account, 'account'),
  },
  reads: { 'dcim.interface': ['type'] },
  rules: [isVirtual],
});
