import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { startKafka, stopKafka } from './broker.ts';

// Needs Java and, the first time, Maven and 43 MB, as all tests on Kafka do.
const wanted = process.env.KAFKA_BROKERS ? it : it.skip;

wanted('starts a broker, refuses a second on the same data, stops it, and starts on the same data again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kafka-local-'));
  try {
    for (const topics of [[], ['kept']]) {
      const kafka = await startKafka({ dataDir });
      await expect(startKafka({ dataDir })).rejects.toThrow('already runs');
      const admin = new kafkajs.Kafka({ brokers: [kafka.brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
      await admin.connect();
      expect(await admin.listTopics()).toEqual(topics);
      if (topics.length === 0) await admin.createTopics({ topics: [{ topic: 'kept' }], waitForLeaders: true });
      await admin.disconnect();
      await kafka.stop();
      await kafka.exited;
    }
    expect(await stopKafka(dataDir)).toBe(false);
  } finally {
    await stopKafka(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
});
