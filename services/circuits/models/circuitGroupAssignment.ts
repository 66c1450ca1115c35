import {
  choice,
  either,
  type Feature,
  generic,
  integer,
  model,
  objectType,
  ref,
  tags,
  through,
  timestamps,
  typeIdOf,
} from '@cadastre/model';
import { priorities } from '../../tenancy/models/priority.ts';

const features: Feature[] = ['tags', 'changeLogging', 'eventRules', 'exportTemplates', 'timestamps'];
const [circuit, virtual] = ['member:circuits.circuit', 'member:circuits.virtualcircuit'];

/** The membership of a circuit, physical or virtual, in a group. */
export const circuitGroupAssignment = model('circuits.circuitgroupassignment', {
  path: 'circuit-group-assignments',
  pages: { columns: ['group', 'member', 'priority'], groups: { Member: ['member_type', 'member_id', 'member'] } },
  imports: { by: { group: 'id' } },
  label: 'Circuit group assignment',
  belongsTo: 'member',
  ordering: ['group', 'member_type', 'member_id', 'priority', 'id'],
  features,
  brief: ['group', 'member_type', 'member_id', 'member', 'priority'],
  search: [`${circuit}/cid`, `${virtual}/cid`, 'group.name'],
  display: {
    columns: ['priority'],
    related: ['group'],
    text: ([priority], [group]) =>
      `${group}${priority ? ` (${priorities.find((p) => p.value === priority)?.label ?? priority})` : ''}`,
  },
  fields: {
    group: ref('circuits.circuitgroup', { onDelete: 'cascade' }),
    member_type: objectType(),
    member_id: integer({ size: 'bigint', min: 0 }),
    member: generic('member_type', 'member_id', {
      to: ['circuits.circuit', 'circuits.virtualcircuit'],
      onDelete: 'cascade',
    }),
    priority: choice(priorities, { optional: true, one: true }),
    tags: tags(),
    ...timestamps(),
  },
  filters: {
    member_type_id: typeIdOf('member_type'),
    circuit: through(circuit, 'cid', 'string'),
    circuit_id: through(circuit, 'id', 'number'),
    virtual_circuit: through(virtual, 'cid', 'string'),
    virtual_circuit_id: through(virtual, 'id', 'number'),
    provider: either(
      through(`${circuit}/provider`, 'slug', 'string'),
      through(`${virtual}/provider_network.provider`, 'slug', 'string'),
    ),
    provider_id: either(
      through(`${circuit}/provider`, 'id', 'number'),
      through(`${virtual}/provider_network.provider`, 'id', 'number'),
    ),
  },
  unique: [
    {
      fields: ['member_type', 'member_id', 'group'],
      message: 'Circuit group assignment with this Member type, Member ID and Group already exists.',
    },
  ],
});
