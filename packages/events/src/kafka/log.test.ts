import { describe, it } from '@jest/globals';
import { describeEventLog } from '../contract.suite.ts';

const brokers = process.env.KAFKA_BROKERS;

describe('the event log on Kafka', () => {
  if (brokers) {
    describeEventLog({ environment: () => ({ CONTRACT_LOG: 'kafka', CONTRACT_ADDRESS: brokers }), latency: 50 });
  } else {
    process.stderr.write(
      'Skipped: the Kafka adapter. To test it: node tools/kafka-local/main.ts start --data /tmp/kafka --port 19092 --detach; KAFKA_BROKERS=127.0.0.1:19092 npm test -- packages/events\n',
    );
    it.skip('needs KAFKA_BROKERS', () => {});
  }
});
