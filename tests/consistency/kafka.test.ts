import { calmRequestQueue } from '@cadastre/events/kafka/client/request-queue';
import kafkajs from 'kafkajs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { comesBackTooLate } from '../support/consistency/absence.ts';
import { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { hammer, scenes } from '../support/consistency/readAfterWrite.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { unique } from '../support/unique.ts';

const brokers = process.env['KAFKA_BROKERS'];
if (!brokers)
  console.info(
    'Skipped: the system on Apache Kafka. Set KAFKA_BROKERS, for example with: node tools/local/kafka/main.ts start --data /tmp/kafka --port 9092',
  );

(brokers ? describe : describe.skip)('the system on Apache Kafka', () => {
  let system: System;
  let receiver: Receiver;
  let admin: Client;
  beforeAll(async () => {
    receiver = await startReceiver();
    system = await startSystem({ PROCESSES: 'each', KAFKA_BROKERS: brokers!, READ_AFTER_WRITE_MS: '30000' });
    admin = new Client(system.base, `Token ${system.token}`);
  });
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
  });

  test('a site that is created reaches the webhook, the change log and the replicas of other services', async () => {
    const webhook = await admin.make('/api/extras/webhooks/', { name: unique('kafka'), payload_url: receiver.url });
    await admin.make('/api/extras/event-rules/', {
      name: unique('kafka'),
      object_types: ['dcim.site'],
      event_types: ['object_created'],
      action_type: 'webhook',
      action_object_type: 'extras.webhook',
      action_object_id: webhook.id,
    });
    const tenant = await admin.make('/api/tenancy/tenants/', { name: unique('kafka'), slug: unique('kafka') });
    const site = await admin.make('/api/dcim/sites/', {
      name: unique('kafka'),
      slug: unique('kafka'),
      tenant: tenant.id,
    });
    await eventually(() => {
      const bodies = receiver.received.map((r) => JSON.parse(r.body.toString()) as { data: { id: number } });
      expect(bodies.filter((body) => body.data.id === site.id)).toMatchObject([
        { event: 'created', object_type: 'dcim.site', data: { name: site.name, tenant: { id: tenant.id } } },
      ]);
    });
    await eventually(async () => {
      const changes = await admin.read(
        `/api/extras/object-changes/?changed_object_type=dcim.site&changed_object_id=${site.id}`,
      );
      expect(changes.results).toMatchObject([{ action: { value: 'create' }, user_name: 'admin' }]);
    });
    await eventually(async () => {
      expect((await admin.read(`/api/tenancy/tenants/${tenant.id}/`)).site_count).toBe(1);
    });
  });

  test('a rule that is switched off right after a change applies to it, and one that is made then does not', async () => {
    const hook = (path: string) =>
      admin.make('/api/extras/webhooks/', { name: unique('kafka'), payload_url: `${receiver.url}/${path}` });
    const site = await admin.make('/api/dcim/sites/', { name: unique('kafka'), slug: unique('kafka') });
    const rule = (webhook: { id: number }) =>
      admin.make('/api/extras/event-rules/', {
        name: unique('kafka'),
        object_types: ['dcim.site'],
        event_types: ['object_updated'],
        conditions: { attr: 'id', value: site.id },
        action_type: 'webhook',
        action_object_type: 'extras.webhook',
        action_object_id: webhook.id,
      });
    const change = (description: string) => admin.patch(`/api/dcim/sites/${site.id}/`, { description });
    const told = (path: string) =>
      receiver
        .at(`/${path}`)
        .map(({ body }) => (JSON.parse(body.toString()) as { data: { description: string } }).data.description)
        .sort();
    const { id } = await rule(await hook('switched'));
    const switched: string[] = [];
    for (let i = 10; i < 30; i++) {
      await change(`on ${i}`);
      switched.push(`on ${i}`);
      await admin.patch(`/api/extras/event-rules/${id}/`, { enabled: false });
      await change(`off ${i}`);
      await rule(await hook(`made-${i}`));
      await admin.patch(`/api/extras/event-rules/${id}/`, { enabled: true });
    }
    await change('the last');
    await eventually(() => expect(told('made-29')).toEqual(['the last']));
    await eventually(() => expect(told('switched')).toEqual([...switched, 'the last']));
    await eventually(() => expect(told('made-28')).toEqual(['off 29', 'on 29', 'the last']));
  });

  test.each(Object.entries(scenes))(
    'what was written in one service is seen in others at once: %s',
    async (_, scene) => {
      await scene(admin);
    },
  );
  test('it is seen while many write and many read', async () => {
    expect(await hammer(admin, 8_000)).toBeGreaterThan(0);
  });

  test('a service that was away for longer than the brokers keep anything catches up by itself when it is back', async () => {
    await comesBackTooLate(system, async () => {
      calmRequestQueue();
      const kafka = new kafkajs.Kafka({ brokers: brokers!.split(','), logLevel: kafkajs.logLevel.NOTHING }).admin();
      await kafka.connect();
      try {
        for (const topic of ['cadastre.changes.tenancy', 'cadastre.changes.dcim']) {
          const ends = (await kafka.fetchTopicOffsets(topic)).filter(({ high, low }) => high !== low);
          expect(ends.length).toBeGreaterThan(0);
          // What retention does, by hand.
          await kafka.deleteTopicRecords({
            topic,
            partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
          });
        }
      } finally {
        await kafka.disconnect();
      }
    });
  }, 600_000);
});
