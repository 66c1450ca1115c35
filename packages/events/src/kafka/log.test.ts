import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { describeEventLog } from '../contract.suite.ts';
import { open } from '../contract.open.ts';
import { type Seen, until } from '../contract.tools.ts';
import { createClient } from './client.ts';

const brokers = process.env.KAFKA_BROKERS;

describe('the event log on Kafka', () => {
  if (brokers) {
    describeEventLog({ environment: () => ({ CONTRACT_LOG: 'kafka', CONTRACT_ADDRESS: brokers }), latency: 50 });

    it('tells a group that was away of what the brokers have dropped before it had read it, until that was heard', async () => {
      const log = await open({ CONTRACT_LOG: 'kafka', CONTRACT_ADDRESS: brokers }), admin = createClient({ brokers: brokers.split(','), clientId: 'test' }).admin();
      const topic = `t-${randomUUID()}`, group = `g-${randomUUID()}`, seen: Seen[] = [], missed: string[] = [];
      let refusals = 0;
      const consume = () => log.consume({
        topics: [topic], group, handler: async (batch) => void seen.push(...batch),
        onMissed: async (names) => { missed.push(...names); if (refusals-- > 0) throw new Error('not now'); },
      });
      try {
        await log.publish(topic, [{ key: 'k', value: 'read' }]);
        const first = await consume();
        await until('what there is', () => seen.length === 1);
        await first.stop();
        expect(missed.splice(0)).toEqual([topic]);
        await log.publish(topic, [{ key: 'k', value: 'to miss' }, { key: 'k', value: 'to miss' }]);
        await admin.connect();
        // What retention does, by hand.
        await admin.deleteTopicRecords({ topic, partitions: (await admin.fetchTopicOffsets(topic)).filter(({ high }) => high !== '0').map(({ partition, high }) => ({ partition, offset: high })) });
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
    }, 60_000);
  } else {
    process.stderr.write(
      'Skipped: the Kafka adapter. To test it: node tools/kafka-local/main.ts start --data /tmp/kafka --port 19092 --detach; KAFKA_BROKERS=127.0.0.1:19092 npm test -- packages/events\n',
    );
    it.skip('needs KAFKA_BROKERS', () => {});
  }
});
