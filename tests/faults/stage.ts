import { loadCatalogue } from '@cadastre/model';
import { Client } from '../support/client.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';
import type { Message } from './checks/world.ts';
import { History } from './load/history.ts';
import { kinds } from './load/kinds.ts';
import type { Stage } from './run.ts';
import { type FaultyOptions, servicesFolder, startFaultySystem } from './system/system.ts';
import type { Undo } from './system/undo.ts';

/**
 * A fresh installation with custom fields that point at objects, and a rule that sends every change of the kinds that
 * clients write.
 */
export async function openStage(options: FaultyOptions, undo: Undo): Promise<Stage> {
  const receiver = await startReceiver();
  undo.add(receiver.close);
  const system = await startFaultySystem(options, undo);
  const admin = new Client(system.base, `Token ${system.token}`);
  const types = [...new Set(kinds.map(({ type }) => type))].filter((type) => type !== 'extras.journalentry');
  const webhook = await admin.make('/api/extras/webhooks/', { name: 'receiver', payload_url: receiver.url });
  const rule = await admin.make('/api/extras/event-rules/', {
    name: 'everything',
    object_types: types,
    event_types: ['object_created', 'object_updated', 'object_deleted'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook.id,
  });
  await admin.make('/api/extras/custom-fields/', {
    name: 'buddy',
    type: 'object',
    related_object_type: 'dcim.device',
    object_types: ['dcim.site', 'ipam.vlan', 'tenancy.tenant'],
  });
  await admin.make('/api/extras/custom-fields/', {
    name: 'reached_at',
    type: 'object',
    related_object_type: 'ipam.ipaddress',
    object_types: ['dcim.device', 'virtualization.virtualmachine'],
  });
  let serial = 0;
  const received: Message[] = [];
  return {
    system,
    catalogue: await loadCatalogue(servicesFolder),
    history: new History(),
    rule: { id: rule.id, types },
    serial: () => ++serial,
    get received() {
      for (const { body } of receiver.received.splice(0)) received.push(JSON.parse(body.toString()) as Message);
      return received;
    },
  };
}
