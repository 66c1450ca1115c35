import { type Feature, generic, integer, model, objectType, ref, timestamps } from '@cadastre/model';
import { interfaceParentFilters, interfaceReads } from './interfaceParents.ts';

const features: Feature[] = ['changeLogging', 'eventRules', 'timestamps'];

/** An interface that takes part in a group, with its priority there. */
export const fhrpGroupAssignment = model('ipam.fhrpgroupassignment', {
  path: 'fhrp-group-assignments',
  pages: { columns: ['group', 'interface', 'priority'] },
  label: 'FHRP group assignment',
  belongsTo: 'interface',
  ordering: ['-priority'],
  features,
  displayPath: false,
  brief: ['group', 'interface_type', 'interface_id', 'priority'],
  display: {
    columns: ['priority'],
    related: ['interface', 'group'],
    text: ([priority], [at, group]) => `${at}: ${group} (${priority})`,
  },
  fields: {
    group: ref('ipam.fhrpgroup', { onDelete: 'cascade' }),
    interface_type: objectType(),
    interface_id: integer({ min: 0, size: 'bigint' }),
    interface: generic('interface_type', 'interface_id', {
      to: ['dcim.interface', 'virtualization.vminterface'],
      onDelete: 'cascade',
    }),
    priority: integer({ min: 0, max: 255, size: 'smallint' }),
    ...timestamps(),
  },
  unique: [{ fields: ['interface_type', 'interface_id', 'group'] }],
  filters: interfaceParentFilters('interface_type', 'interface_id'),
  reads: interfaceReads,
});
