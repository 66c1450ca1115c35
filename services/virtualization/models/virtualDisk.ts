import {
  description,
  type Effect,
  integer,
  labels,
  model,
  owner,
  primary,
  ref,
  type Stored,
  text,
  timestamps,
} from '@cadastre/model';

const machinesOf = (changes: readonly Stored[]): number[] => [
  ...new Set(
    changes
      .flatMap(({ before, after }) => [before?.['virtual_machine'], after?.['virtual_machine']])
      .filter((id) => typeof id === 'number'),
  ),
];

/** The disk space of a virtual machine with virtual disks is their sum. */
export const sumDisks: Effect = async (changes, context) => {
  const machines = await context.find('virtualization.virtualmachine', { id: machinesOf(changes) });
  const rows = await context.query(
    `select virtual_machine_id, sum(size) from ${context.tableOf('virtualization.virtualdisk')} where virtual_machine_id = any($1::bigint[]) group by 1`,
    [machines.map(({ id }) => id)],
  );
  const sums = new Map(rows.map(([id, sum]) => [Number(id), Number(sum)]));
  const wrong = machines.filter((machine) => machine['disk'] !== (sums.get(Number(machine['id'])) ?? null));
  await context.derive(
    'virtualization.virtualmachine',
    wrong.map(({ id }) => ({ id: id!, disk: sums.get(Number(id)) ?? null })),
  );
};

/** A disk of a virtual machine, its size in megabytes. */
export const virtualDisk = model('virtualization.virtualdisk', {
  path: 'virtual-disks',
  label: 'virtual disk',
  belongsTo: 'virtual_machine',
  ordering: ['virtual_machine', 'name'],
  features: primary,
  brief: ['virtual_machine', 'name', 'description', 'size'],
  search: ['name', 'description'],
  fields: {
    virtual_machine: ref('virtualization.virtualmachine', { onDelete: 'cascade' }),
    name: text({ max: 64, natural: true }),
    ...description(),
    size: integer({ min: 0, max: 2_147_483_647 }),
    ...owner(),
    ...labels(),
    ...timestamps(),
  },
  unique: [{ fields: ['virtual_machine', 'name'] }],
  effects: [sumDisks],
});
