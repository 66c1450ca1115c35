import { describe, expect, test } from '@jest/globals';
import { Equipment } from '../../support/objects/equipment.ts';
import { useSystem } from '../../support/system.ts';
import { nextNetwork } from '../../support/unique.ts';

const used = useSystem();
const kit = new Equipment(() => used.admin);

describe('the addresses of a device', () => {
  test('are those of its interfaces', async () => {
    const device = await kit.device();
    const other = await kit.device();
    const [port, far] = [await kit.interface(device), await kit.interface(other)];
    const assigned = (address: string, at?: { id: number }) =>
      kit.make('ipam/ip-addresses', {
        address,
        ...(at ? { assigned_object_type: 'dcim.interface', assigned_object_id: at.id } : {}),
      });
    const [v4, v6, foreign, loose] = [
      await assigned(`${nextNetwork().four}.1/24`, port),
      await assigned(`${nextNetwork().six}::1/64`, port),
      await assigned(`${nextNetwork().four}.2/24`, far),
      await assigned(`${nextNetwork().four}.3/24`),
    ];
    const setting = (body: object) => kit.refused('patch', `dcim/devices/${device.id}`, body);
    expect(await setting({ primary_ip4: v6.id })).toEqual([
      400,
      { primary_ip4: [`${v6.address} is not an IPv4 address.`] },
    ]);
    expect(await setting({ primary_ip6: v4.id })).toEqual([
      400,
      { primary_ip6: [`${v4.address} is not an IPv6 address.`] },
    ]);
    for (const address of [foreign, loose])
      expect(await setting({ primary_ip4: address.id })).toEqual([
        400,
        { primary_ip4: [`The specified IP address (${address.address}) is not assigned to this device.`] },
      ]);
    expect(await setting({ oob_ip: foreign.id })).toEqual([
      400,
      { oob_ip: [`The specified IP address (${foreign.address}) is not assigned to this device.`] },
    ]);
    expect(await kit.patch(`dcim/devices/${device.id}`, { primary_ip4: v4.id, oob_ip: v4.id })).toMatchObject({
      primary_ip: { id: v4.id },
      primary_ip4: { address: v4.address },
      oob_ip: { id: v4.id },
    });
    expect(await kit.patch(`dcim/devices/${device.id}`, { primary_ip6: v6.id })).toMatchObject({
      primary_ip: { id: v6.id },
    });
    expect(await kit.ids(`dcim/devices/?has_primary_ip=true&primary_ip4=${encodeURIComponent(v4.address)}`)).toEqual([
      device.id,
    ]);
    expect(await kit.ids(`dcim/devices/?q=${v4.address.split('/')[0]}`)).toEqual([device.id]);
    expect(await kit.ids(`dcim/devices/?has_oob_ip=false&id=${device.id}&id=${other.id}`)).toEqual([other.id]);
  });
});
