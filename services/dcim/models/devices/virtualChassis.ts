import {
  counter,
  type Effect,
  model,
  path,
  primary,
  primaryFields,
  ref,
  referrers,
  resets,
  type Rule,
  text,
} from '@cadastre/model';
import { splitBy, whyTogether } from './chassisMembers.ts';
import { siteFilters } from '../groups/filters.ts';

const masterIsMember: Rule = async ({ id, master }, { before, related, displayOf }) => {
  const device = before && (await related('dcim.device', master));
  if (!device || device['virtual_chassis'] === id) return undefined;
  return {
    master: [
      `The selected master (${await displayOf('dcim.device', Number(master))}) is not assigned to this virtual chassis.`,
    ],
  };
};

/** The master of a new chassis becomes its first member, unless it cannot leave the one that it is in. */
const masterJoins: Effect = async (changes, context) => {
  const led = new Map(
    changes.filter((c) => c.action === 'created' && c.after!['master'] !== null).map((c) => [c.after!['master']!, c]),
  );
  if (!led.size) return;
  const masters = await context.find('dcim.device', { id: [...led.keys()] });
  await context.update(
    'dcim.device',
    masters.map((device) => ({
      id: device['id']!,
      virtual_chassis: led.get(device['id']!)!.after!['id']!,
      vc_position: device['vc_position'] ?? 1,
    })),
  );
  const left = masters.filter((device) => device['virtual_chassis'] !== null);
  if (context.importing || !left.length) return;
  const [split] = await splitBy(new Map(left.map((device) => [device['id']!, device['virtual_chassis']!])), context);
  if (split)
    context.refuse({ master: await whyTogether([split], context) }, led.get(split.device) ?? led.get(split.other));
};

export const virtualChassis = model('dcim.virtualchassis', {
  path: 'virtual-chassis',
  pages: { columns: ['domain', 'master', 'member_count', 'description'] },
  imports: { later: ['master'] },
  label: 'virtual chassis',
  plural: 'virtual chassis',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'master', 'description', 'member_count'],
  search: ['name', 'domain', 'description', '<dcim.device.virtual_chassis/name'],
  fields: {
    name: text({ max: 64, natural: true }),
    domain: text({ max: 30, optional: true }),
    master: resets(ref('dcim.device', { optional: true, form: 'nested' })),
    ...primaryFields(),
    member_count: counter('dcim.device', 'virtual_chassis'),
    members: referrers('dcim.device', 'virtual_chassis', { form: 'nested' }),
  },
  unique: [
    {
      fields: ['master'],
      key: 'master',
      where: 'master_id is not null',
      message: 'Virtual chassis with this Master already exists.',
    },
  ],
  filters: { ...siteFilters('master.site'), tenant_id: path('master.tenant'), tenant: path('master.tenant', 'slug') },
  rules: [masterIsMember],
  effects: [masterJoins],
});
