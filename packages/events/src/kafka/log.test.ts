import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import kafkajs, { type Kafka, type Producer, type ProducerConfig, type ProducerRecord } from 'kafkajs';
import { open } from '../contract/open.ts';
import { describeEventLog } from '../contract/suite.ts';
import { describeTrouble } from '../contract/trouble.ts';
import { type Seen, until } from '../contract/tools.ts';
import { describeWanted } from '../contract/wants.ts';
import { createKafkaLog } from '../kafka.ts';
import { createClient } from './client/client.ts';
import { createSender } from './producer.ts';
import { withBrokers } from './testing.ts';

describe('the event log on Kafka', () => {
  withBrokers('the Kafka adapter', (brokers) => {
    const environment = () => ({ CONTRACT_LOG: 'kafka' as const, CONTRACT_ADDRESS: brokers });
    describeEventLog(environment);
    describeTrouble(environment);
    describeWanted(() => ({ CONTRACT_LOG: 'kafka', CONTRACT_ADDRESS: brokers }));

    it('hands over in one piece what a fetch brought of several partitions', async () => {
      const log = await open({ CONTRACT_LOG: 'kafka', CONTRACT_ADDRESS: brokers });
      const topic = `t-${randomUUID()}`;
      const batches: number[][] = [];
      try {
        await log.publish(
          topic,
          Array.from({ length: 60 }, (_, i) => ({ key: `k${i}`, value: 'v' })),
        );
        const consumer = await log.consume({
          topics: [topic],
          group: `g-${randomUUID()}`,
          handler: async (batch) => void batches.push(batch.map(({ partition }) => partition)),
        });
        await until('all', () => batches.flat().length === 60);
        await consumer.stop();
        expect(new Set(batches.flat()).size).toBeGreaterThan(3);
        expect(new Set(batches[0]).size).toBe(new Set(batches.flat()).size);
      } finally {
        await log.close();
      }
    });

    it('tells a group that was away of what the brokers have dropped before it had read it, until that was heard', async () => {
      const log = await open({ CONTRACT_LOG: 'kafka', CONTRACT_ADDRESS: brokers });
      const admin = createClient({ brokers: brokers.split(','), clientId: 'test' }).kafka.admin();
      const topic = `t-${randomUUID()}`;
      const group = `g-${randomUUID()}`;
      const seen: Seen[] = [];
      const missed: string[] = [];
      let refusals = 0;
      const consume = () =>
        log.consume({
          topics: [topic],
          group,
          handler: async (batch) => void seen.push(...batch),
          onMissed: async (names) => {
            missed.push(...names);
            if (refusals-- > 0) throw new Error('not now');
          },
        });
      try {
        await log.publish(topic, [{ key: 'k', value: 'read' }]);
        const first = await consume();
        await until('what there is', () => seen.length === 1);
        await first.stop();
        expect(missed.splice(0)).toEqual([topic]);
        await log.publish(topic, [
          { key: 'k', value: 'to miss' },
          { key: 'k', value: 'to miss' },
        ]);
        await admin.connect();
        // Deletes records, as retention would.
        await admin.deleteTopicRecords({
          topic,
          partitions: (await admin.fetchTopicOffsets(topic))
            .filter(({ high }) => high !== '0')
            .map(({ partition, high }) => ({ partition, offset: high })),
        });
        await log.publish(topic, [{ key: 'k', value: 'new' }]);
        refusals = 1;
        await expect(consume()).rejects.toThrow('not now');
        const second = await consume();
        await until('the new one', () => seen.length === 2);
        expect([seen.at(-1)?.value, missed.splice(0)]).toEqual(['new', [topic, topic]]);
        await second.stop();
        await (await consume()).stop();
        expect(missed).toEqual([]);
      } finally {
        await admin.disconnect();
        await log.close();
      }
    });

    it('tells a group once of what the brokers have dropped, and takes it for handled, also where nothing is left', async () => {
      const log = await open({ CONTRACT_LOG: 'kafka', CONTRACT_ADDRESS: brokers });
      const admin = createClient({ brokers: brokers.split(','), clientId: 'test' }).kafka.admin();
      const topic = `t-${randomUUID()}`;
      const group = `g-${randomUUID()}`;
      const seen: Seen[] = [];
      const missed: string[] = [];
      const consume = () =>
        log.consume({
          topics: [topic],
          group,
          handler: async (batch) => void seen.push(...batch),
          onMissed: async (names) => void missed.push(...names),
        });
      try {
        await log.publish(topic, [{ key: 'k', value: 'read' }]);
        const first = await consume();
        await until('what there is', () => seen.length === 1);
        await first.stop();
        missed.length = 0;
        await log.publish(topic, [{ key: 'k', value: 'to miss' }]);
        const all = await log.mark(group, [topic]);
        await admin.connect();
        await admin.deleteTopicRecords({
          topic,
          partitions: (await admin.fetchTopicOffsets(topic))
            .filter(({ high }) => high !== '0')
            .map(({ partition, high }) => ({ partition, offset: high })),
        });
        for (let times = 0; times < 3; times += 1) {
          const consumer = await consume();
          for (const mark of [all, await log.mark(group, [topic])])
            for (const end = Date.now() + 30_000; !(await mark()); await sleep(50))
              if (Date.now() > end) throw new Error('it is not where the topic ends');
          await consumer.stop();
        }
        expect([seen.length, missed]).toEqual([1, [topic]]);
      } finally {
        await admin.disconnect();
        await log.close();
      }
    }, 120_000);

    it('lets a newcomer have its share after what is in hand, however much was fetched', async () => {
      const partitions = 24;
      const logs = [0, 1].map(() => createKafkaLog({ brokers: brokers.split(','), partitions, sessionTimeout: 6000 }));
      const topic = `t-${randomUUID()}`;
      const group = `g-${randomUUID()}`;
      const calls = [0, 0];
      const join = (which: 0 | 1, delay: number) =>
        logs[which]!.consume({
          topics: [topic],
          group,
          handler: async () => {
            calls[which]! += 1;
            await sleep(delay);
          },
        });
      try {
        await logs[0]!.publish(
          topic,
          Array.from({ length: 600 }, (_, i) => ({ key: `k${i}`, value: 'x' })),
        );
        await join(0, 2_000);
        await until('the first is at it', () => calls[0]! > 0);
        await join(1, 0);
        await until('the other has something', () => calls[1]! > 0, 60_000);
        // One partition after the other, two seconds each: handling all of them first would take 24 calls.
        expect(calls[0]).toBeLessThan(partitions / 2);
      } finally {
        await Promise.all(logs.map((log) => log.close()));
      }
    }, 120_000);

    it('makes topics with the retention and the largest message that are asked for, and leaves those that are there as they are', async () => {
      const topic = `t-${randomUUID()}`;
      const admin = new kafkajs.Kafka({ brokers: brokers.split(','), logLevel: kafkajs.logLevel.NOTHING }).admin();
      await admin.connect();
      try {
        for (const retention of [3_600_000, 7_200_000]) {
          const log = createKafkaLog({
            brokers: brokers.split(','),
            partitions: 3,
            replicationFactor: 1,
            retention,
            maxMessageBytes: 2_000_000,
          });
          await log.ensureTopics([topic]);
          await log.close();
        }
        const {
          resources: [found],
        } = await admin.describeConfigs({
          includeSynonyms: false,
          resources: [
            {
              type: kafkajs.ConfigResourceTypes.TOPIC,
              name: topic,
              configNames: ['retention.ms', 'max.message.bytes'],
            },
          ],
        });
        expect(
          Object.fromEntries(found!.configEntries.map(({ configName, configValue }) => [configName, configValue])),
        ).toEqual({ 'retention.ms': '3600000', 'max.message.bytes': '2000000' });
        const {
          topics: [made],
        } = await admin.fetchTopicMetadata({ topics: [topic] });
        expect(made!.partitions.map(({ replicas }) => replicas.length)).toEqual([1, 1, 1]);
      } finally {
        await admin.disconnect();
      }
    });
  });
});

describe('what is sent to Kafka', () => {
  /** A client that records its requests; sending fails as often as the test wants. */
  const noting = (failures = 0) => {
    const made: ProducerConfig[] = [];
    const sent: ProducerRecord[] = [];
    const producer = {
      connect: async () => {},
      disconnect: async () => {},
      send: async (record: ProducerRecord) => {
        sent.push(record);
        if (sent.length <= failures) throw new Error('no leader');
        return [];
      },
    };
    const kafka = {
      producer: (config: ProducerConfig) => {
        made.push(config);
        return producer as unknown as Producer;
      },
    } as unknown as Kafka;
    return { made, sent, sender: createSender(() => ({ kafka, connections: () => 0, destroy: () => {} }), 1_000) };
  };
  const messages = [
    { key: 'a', value: '1', headers: { x: 'y' } },
    { key: 'b', value: '2' },
  ];

  it('is numbered, so that nothing is repeated or reordered by sending again, compressed, and stored by all copies in sync', async () => {
    const { made, sent, sender } = noting();
    await sender.send('t', messages);
    expect(made).toMatchObject([{ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false }]);
    expect(sent).toEqual([{ topic: 't', acks: -1, compression: kafkajs.CompressionTypes.GZIP, messages }]);
  });

  it('gets a new producer after a failure, since numbers may have been used up', async () => {
    const { made, sent, sender } = noting(1);
    await expect(sender.send('t', messages)).rejects.toThrow('no leader');
    await sender.send('t', messages);
    expect([made.length, sent.length]).toEqual([2, 2]);
  });
});
