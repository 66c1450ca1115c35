import {
  boolean,
  caseless,
  choice,
  type Effect,
  type Field,
  helped,
  model,
  path,
  primary,
  primaryFields,
  ref,
  text,
} from '@cadastre/model';
import { partStatus } from '../choices/device.ts';
import { chassisPosition, inChassis } from '../devices/chassisNames.ts';
import { siteFilters } from '../groups/filters.ts';
import { instantiate } from '../types/instantiate.ts';
import { moduleRules } from './moduleRules.ts';
import { positionsOf, resolved } from './moduleNames.ts';

/** Given when a module is created, and not stored. */
function order(help: string, byDefault: boolean): Field {
  const { column: _, ...field } = boolean({ writeOnly: true, default: byDefault, filter: false });
  return helped(help, field);
}

/** A new module creates the components of its type, or takes over those of the device. */
const bringsComponents: Effect = async (changes, context) => {
  const made = changes.filter((c) => c.action === 'created');
  const bearers = await Promise.all(
    made.map(async ({ after, given }) => {
      const positions = await positionsOf(await context.related('dcim.modulebay', after!['module_bay']), context);
      const member = chassisPosition(await context.related('dcim.device', after!['device']));
      return {
        device: after!['device']!,
        module: after!['id']!,
        bay: after!['module_bay']!,
        type: after!['module_type']!,
        replicates: given['replicate_components'] !== false,
        adopts: given['adopt_components'] === true,
        resolve: (text: string) => inChassis(resolved(text, positions), member),
      };
    }),
  );
  await instantiate(
    bearers.filter((b) => b.replicates || b.adopts),
    'module_type',
    context,
  );
};

/** A part with components of its own, in a bay of a device. */
export const module = model('dcim.module', {
  path: 'modules',
  pages: {
    columns: ['device', 'module_bay', 'module_type', 'status', 'serial', 'asset_tag'],
    groups: { Hardware: ['serial', 'asset_tag'], Components: ['replicate_components', 'adopt_components'] },
  },
  label: 'module',
  ordering: ['module_bay'],
  features: primary,
  brief: ['device', 'module_bay', 'module_type', 'description'],
  search: ['device.name', 'serial', 'asset_tag', 'description', 'comments'],
  display: {
    columns: ['id'],
    related: ['module_bay.name', 'module_type'],
    text: ([id], [bay, type]) => `${bay}: ${type} (${id})`,
  },
  fields: {
    device: ref('dcim.device', { onDelete: 'cascade' }),
    module_bay: ref('dcim.modulebay', { onDelete: 'cascade', form: 'nested' }),
    module_type: ref('dcim.moduletype'),
    status: choice(partStatus, { default: 'active' }),
    serial: text({ max: 50, optional: true }),
    asset_tag: helped(
      'A unique tag used to identify this device',
      text({ max: 50, optional: true, nullable: true, unique: true }),
    ),
    ...primaryFields(),
    replicate_components: order(
      'Automatically populate components associated with this module type (default: true)',
      true,
    ),
    adopt_components: order('Adopt already existing components', false),
  },
  unique: [{ fields: ['module_bay'], key: 'module_bay', message: 'Module with this Module bay already exists.' }],
  filters: {
    ...siteFilters('device.site'),
    location_id: path('device.location'),
    location: path('device.location', 'slug'),
    rack_id: path('device.rack'),
    rack: path('device.rack', 'name'),
    module_type: path('module_type', 'model'),
    manufacturer_id: path('module_type.manufacturer'),
    manufacturer: path('module_type.manufacturer', 'slug'),
    profile_id: path('module_type.profile'),
    profile: path('module_type.profile', 'name'),
    serial: caseless('serial'),
  },
  rules: [moduleRules],
  effects: [bringsComponents],
});
