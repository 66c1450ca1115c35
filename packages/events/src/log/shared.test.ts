import { expect, test } from '@jest/globals';
import type { ConsumeOptions, EventLog } from './log.ts';
import { sharedLog } from './shared.ts';

function recorded(said: string[]): EventLog {
  return {
    publish: async (topic) => void said.push(`publish ${topic}`),
    mark: async () => async () => true,
    ensureTopics: async () => {},
    consume: async ({ group }) => ({ stop: async () => void said.push(`stop ${group}`) }),
    close: async () => void said.push('close'),
  };
}
const following = (group: string): ConsumeOptions => ({ topics: [], group, handler: async () => {} });

test('several use one log; each ends its own consumers, and the last closes the log', async () => {
  const said: string[] = [];
  let opened = 0;
  const share = sharedLog(async () => {
    opened += 1;
    return recorded(said);
  });
  const [one, other] = await Promise.all([share(), share()]);
  expect(opened).toBe(1);
  await one.consume(following('a'));
  const stopped = await one.consume(following('b'));
  await other.consume(following('c'));
  await stopped.stop();
  await other.publish('t', []);
  expect(said).toEqual(['stop b', 'publish t']);
  await Promise.all([one.close(), one.close()]);
  expect(said.slice(2)).toEqual(['stop a']);
  await other.close();
  expect(said.slice(3)).toEqual(['stop c', 'close']);
  // The next user gets a new log.
  await share();
  expect(opened).toBe(2);
});

test('a log that cannot be opened is tried again for the next', async () => {
  let tries = 0;
  const share = sharedLog(async () => {
    tries += 1;
    if (tries === 1) throw new Error('away');
    return recorded([]);
  });
  await expect(Promise.all([share(), share()])).rejects.toThrow('away');
  await expect(share()).resolves.toBeDefined();
  expect(tries).toBe(2);
});
