import { expect, test } from '@jest/globals';
import type { Body } from '../../../support/client.ts';
import { nextNetwork, unique } from '../../../support/unique.ts';
import { at, machine, patched, used } from '../../../support/objects/virtualization.ts';

const INTERFACES = at('interfaces');
const make = (vm: Body, more: object = {}): Promise<Body> =>
  used.admin.make(INTERFACES, { virtual_machine: vm.id, name: unique('eth'), ...more });
const moving = ({ id }: Body, { id: virtual_machine }: Body) => ({ id, virtual_machine });
const moved = (port: Body, vm: Body) => patched(`${INTERFACES}${port.id}/`, { virtual_machine: vm.id });
const bulk = async (...bodies: object[]) => {
  const { status, body } = await used.admin.patch(INTERFACES, bodies);
  return [status, status === 200 ? undefined : body];
};

test.each(['parent', 'bridge'])('an interface that is the %s of another one stays with it', async (field) => {
  const [vm, other] = [await machine(), await machine()];
  const base = await make(vm);
  const port = await make(vm, { [field]: base.id });
  const right = {
    virtual_machine: [
      `Interface ${port.name} has this one as its ${field}, so both must belong to the same virtual machine.`,
    ],
  };
  expect(await moved(base, other)).toEqual([400, right]);
  expect(await bulk({ id: (await make(vm)).id, description: 'x' }, moving(base, other))).toEqual([400, [{}, right]]);
  expect(await moved(port, other)).toEqual([
    400,
    {
      [field]: [`The selected ${field} interface (${base.name}) belongs to a different virtual machine (${vm.name}).`],
    },
  ]);
  expect(await bulk(moving(base, other), moving(port, other))).toEqual([200, undefined]);
  expect(await used.admin.read(`${INTERFACES}${port.id}/`)).toMatchObject({
    virtual_machine: { id: other.id },
    [field]: { id: base.id },
  });
  expect(await bulk(moving(port, vm), { ...moving(base, vm), description: 'back' })).toEqual([200, undefined]);
  expect(await patched(`${INTERFACES}${port.id}/`, { [field]: null })).toEqual([200, undefined]);
  expect(await moved(base, other)).toEqual([200, undefined]);
});

test('who moves an interface and who builds on it do not both get their way', async () => {
  for (let round = 0; round < 5; round++) {
    const [vm, other] = [await machine(), await machine()];
    const [base, port] = [await make(vm), await make(vm)];
    const answers = await Promise.all([patched(`${INTERFACES}${port.id}/`, { bridge: base.id }), moved(base, other)]);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 400]);
  }
});

test('an interface with the primary address of a virtual machine stays there', async () => {
  const [vm, other] = [await machine(), await machine()];
  const port = await make(vm);
  const address = await used.admin.make('/api/ipam/ip-addresses/', {
    address: `${nextNetwork().four}.1/24`,
    assigned_object_type: 'virtualization.vminterface',
    assigned_object_id: port.id,
  });
  const path = `${at('virtual-machines')}${vm.id}/`;
  expect(await patched(path, { primary_ip4: address.id })).toEqual([200, undefined]);
  expect(await moved(port, other)).toEqual([
    400,
    { virtual_machine: [`Its address ${address.address} is a primary address of ${vm.name}.`] },
  ]);
  expect(await patched(path, { primary_ip4: null })).toEqual([200, undefined]);
  expect(await moved(port, other)).toEqual([200, undefined]);
});
