import type { Catalogue, Model } from '@cadastre/model';
import type { Body, Client } from '../client.ts';
import { nextNetwork, unique } from '../unique.ts';

/** A field that is cleared when the object it refers to is deleted, and that clients can write. */
export interface Letting {
  model: Model;
  field: string;
}

/** Every such field of every model, by the type that it refers to. */
export function lettings(catalogue: Catalogue): Map<string, Letting[]> {
  const all = [...catalogue.models.values()]
    .filter(({ readOnly, part, fromEvents }) => !readOnly && !part && !fromEvents)
    .map(({ name }): [string, Letting[]] => [
      name,
      catalogue.incoming(name).flatMap(({ model, field, onDelete }) => {
        const { readOnly, hidden } = model.fields[field]!;
        const isWritten = !model.readOnly && !hidden && (!readOnly || model.fields[field]!.generic);
        return onDelete === 'setNull' && isWritten ? [{ model, field }] : [];
      }),
    ]);
  // The author of a note is set by the server.
  const own = (letting: Letting) => `${letting.model.name}.${letting.field}` !== 'extras.journalentry.created_by';
  return new Map(all.map(([type, some]) => [type, some.filter(own)] as const).filter(([, some]) => some.length));
}

type Fitting = (client: Client, referrer: Body, target: Body) => Promise<object>;

const mode =
  (value: string, role?: string): Fitting =>
  async (client, _, target) => {
    if (role) await client.patch(`/api/ipam/vlans/${target.id}/`, { qinq_role: role });
    return { mode: value };
  };

/** Gives an address to a new interface of a device or machine. */
const at =
  (family: 'four' | 'six', how: (client: Client, referrer: Body) => Promise<[type: string, object: Body]>): Fitting =>
  async (client, referrer, target) => {
    const [type, { id }] = await how(client, referrer);
    const network = nextNetwork();
    await client.patch(`/api/ipam/ip-addresses/${target.id}/`, {
      address: family === 'four' ? `${network.four}.9/24` : `${network.six}::9/64`,
      assigned_object_type: type,
      assigned_object_id: id,
    });
    return {};
  };

const onDevice = async (client: Client, { id }: Body): Promise<[string, Body]> => [
  'dcim.interface',
  await client.make('/api/dcim/interfaces/', { device: id, name: unique('eth'), type: '1000base-t' }),
];
const onContext = async (client: Client, { id, device }: Body): Promise<[string, Body]> => [
  'dcim.interface',
  await client.make('/api/dcim/interfaces/', {
    device: device.id,
    name: unique('eth'),
    type: '1000base-t',
    vdcs: [id],
  }),
];
const onMachine = async (client: Client, { id }: Body): Promise<[string, Body]> => [
  'virtualization.vminterface',
  await client.make('/api/virtualization/interfaces/', { virtual_machine: id, name: unique('eth') }),
];

/** What a reference needs besides: other fields that the referring object has to be given. */
export const FITTING: Record<string, Fitting> = {
  'dcim.interface.untagged_vlan': mode('access'),
  'dcim.interface.tagged_vlans': mode('tagged'),
  'dcim.interface.qinq_svlan': mode('q-in-q', 'svlan'),
  'virtualization.vminterface.untagged_vlan': mode('access'),
  'virtualization.vminterface.tagged_vlans': mode('tagged'),
  'virtualization.vminterface.qinq_svlan': mode('q-in-q', 'svlan'),
  'dcim.interface.lag': async (client, _, target) => {
    await client.patch(`/api/dcim/interfaces/${target.id}/`, { type: 'lag' });
    return { type: '1000base-t' };
  },
  'dcim.device.virtual_chassis': async () => ({ vc_position: 1 }),
  'dcim.device.primary_ip4': at('four', onDevice),
  'dcim.device.primary_ip6': at('six', onDevice),
  'dcim.device.oob_ip': at('four', onDevice),
  'dcim.virtualdevicecontext.primary_ip4': at('four', onContext),
  'dcim.virtualdevicecontext.primary_ip6': at('six', onContext),
  'virtualization.virtualmachine.primary_ip4': at('four', onMachine),
  'virtualization.virtualmachine.primary_ip6': at('six', onMachine),
};
