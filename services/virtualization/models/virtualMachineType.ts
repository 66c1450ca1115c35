import { counter, decimal, integer, model, primary, primaryFields, ref, slug, text } from '@cadastre/model';

/** A size of virtual machines, and what they run unless said otherwise. */
export const virtualMachineType = model('virtualization.virtualmachinetype', {
  path: 'virtual-machine-types',
  pages: { groups: { Defaults: ['default_platform', 'default_vcpus', 'default_memory'] } },
  label: 'virtual machine type',
  ordering: ['name'],
  features: [...primary, 'imageAttachments'],
  brief: ['name', 'slug', 'description'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, natural: true }),
    slug: slug({ unique: true }),
    default_platform: ref('dcim.platform', { optional: true, onDelete: 'setNull' }),
    default_vcpus: decimal({ digits: 6, places: 2, min: 0.01, optional: true }),
    default_memory: integer({ min: 0, max: 2_147_483_647, optional: true }),
    ...primaryFields(),
    virtual_machine_count: counter('virtualization.virtualmachine', 'virtual_machine_type'),
  },
  unique: [{ fields: ['name'], ignoreCase: ['name'], message: 'Virtual machine type name must be unique.' }],
});
