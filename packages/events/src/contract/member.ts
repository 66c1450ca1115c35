// A consumer in a process of its own, for the contract suite to kill. Prints one JSON line per message.
import { setTimeout as sleep } from 'node:timers/promises';
import { openFromEnvironment } from './open.ts';

const { topic, group, delay, hangAfter } = JSON.parse(process.argv[2] ?? '{}') as {
  topic: string;
  group: string;
  delay: number;
  hangAfter: number;
};
const log = await openFromEnvironment();
let seen = 0;

await log.consume({
  topics: [topic],
  group,
  batchSize: 20,
  async handler(batch) {
    for (const { key, value } of batch) {
      console.log(JSON.stringify({ key, value }));
      seen += 1;
      if (seen === hangAfter) await new Promise(() => {});
      await sleep(delay);
    }
  },
  onError: (error) => console.error(error),
});
console.log(JSON.stringify({ joined: true }));
