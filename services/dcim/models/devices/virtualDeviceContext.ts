import {
  choice,
  count,
  type Effect,
  firstOf,
  integer,
  model,
  path,
  primary,
  primaryFields,
  ref,
  resets,
  tenantGroupFilters,
  text,
} from '@cadastre/model';
import { primaryAddress } from '../../../ipam/models/addresses/primaryAddress.ts';
import { virtualDeviceContextStatus } from '../choices/device.ts';
import { contextAddressesAreOfItsDevice } from './deviceAddresses.ts';
import { given } from '../groups/filters.ts';

/** A context stays with its device while interfaces there are part of it. */
const keepsItsInterfaces: Effect = async (changes, { query, tableOf, displayOf, importing, refuse }) => {
  const moved = changes.filter((c) => c.action === 'updated' && c.before!['device'] !== c.after!['device']);
  if (importing || !moved.length) return;
  const rows = await query(
    `select distinct on (v.id) v.id, i.id from ${tableOf('dcim.virtualdevicecontext')} v
      join ${tableOf('dcim.interface')} i on i.vdcs @> array[v.id] and i.device_id <> v.device_id where v.id = any($1::bigint[]) order by v.id, i.id`,
    [moved.map((c) => c.after!['id'])],
  );
  const left = new Map(rows.map(([context, port]) => [Number(context), Number(port)]));
  for (const change of moved) {
    const port = left.get(Number(change.after!['id']));
    if (port === undefined) continue;
    const [called, device] = await Promise.all([
      displayOf('dcim.interface', port),
      displayOf('dcim.device', Number(change.before!['device'])),
    ]);
    refuse({ device: [`Interface ${called} of ${device} is part of this virtual device context.`] }, change);
  }
};

/** One of several devices that a device acts as. */
export const virtualDeviceContext = model('dcim.virtualdevicecontext', {
  path: 'virtual-device-contexts',
  pages: {
    columns: ['device', 'identifier', 'status', 'tenant', 'primary_ip', 'interface_count'],
    groups: { Management: ['primary_ip4', 'primary_ip6', 'primary_ip'] },
  },
  imports: {
    later: ['primary_ip4', 'primary_ip6'],
    among: { primary_ip4: { device_id: 'device' }, primary_ip6: { device_id: 'device' } },
  },
  label: 'virtual device context',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'identifier', 'device', 'description'],
  key: 'name',
  search: ['name', '=identifier', 'description'],
  fields: {
    name: text({ max: 64, natural: true }),
    device: ref('dcim.device', { backwards: 'vdcs' }),
    identifier: integer({ min: 0, max: 32_767, size: 'smallint', optional: true }),
    tenant: resets(ref('tenancy.tenant', { optional: true })),
    primary_ip: firstOf('primary_ip6', 'primary_ip4'),
    primary_ip4: primaryAddress(),
    primary_ip6: primaryAddress(),
    status: choice(virtualDeviceContextStatus),
    ...primaryFields(),
    interface_count: count('dcim.interface', 'vdcs'),
  },
  unique: [
    { fields: ['device', 'identifier'], where: 'identifier is not null' },
    { fields: ['device', 'name'] },
    ...[4, 6].map((version) => ({
      fields: [`primary_ip${version}`],
      key: `primary_ip${version}`,
      where: `primary_ip${version}_id is not null`,
      message: `Virtual device context with this Primary IPv${version} already exists.`,
    })),
  ],
  filters: {
    ...tenantGroupFilters(),
    device: path('device'),
    interface_id: path('<dcim.interface.vdcs'),
    has_primary_ip: given('primary_ip4_id', 'primary_ip6_id'),
    primary_ip4: path('primary_ip4', 'address'),
    primary_ip6: path('primary_ip6', 'address'),
  },
  rules: [contextAddressesAreOfItsDevice],
  effects: [keepsItsInterfaces],
});
