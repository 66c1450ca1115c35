import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { keepFollowing } from './keep-following.ts';
import type { Consumer, EventLog } from '../log/log.ts';

const logOf = (consume: () => Promise<Consumer>): EventLog => ({
  consume,
  publish: async () => {},
  ensureTopics: async () => {},
  mark: async () => async () => true,
  close: async () => {},
});
const options = (consume: () => Promise<Consumer>) => ({
  log: logOf(consume),
  services: ['dcim'],
  group: 'test',
  handle: async () => {},
  onError: jest.fn(),
});

describe('keepFollowing', () => {
  test('tries until the log can be followed, tells of each failure, and stops the consumer', async () => {
    const stop = jest.fn(async () => {});
    const consume = jest
      .fn<() => Promise<Consumer>>()
      .mockRejectedValueOnce(new Error('away'))
      .mockResolvedValue({ stop });
    const given = options(consume);
    const following = keepFollowing(given);
    while (consume.mock.calls.length < 2) await sleep(20);
    await sleep(1);
    expect(given.onError.mock.calls).toEqual([
      [expect.objectContaining({ message: 'away' }), { group: 'test', stage: 'log', attempt: 1 }],
    ]);
    await following.stop();
    expect(stop).toHaveBeenCalledTimes(1);
    expect(consume).toHaveBeenCalledTimes(2);
  });

  test('does not wait for the log when it is told to stop, and stops a consumer that comes later', async () => {
    const joined = Promise.withResolvers<Consumer>();
    const stop = jest.fn(async () => {});
    const following = keepFollowing(options(() => joined.promise));
    await following.stop();
    joined.resolve({ stop });
    await sleep(1);
    expect(stop).toHaveBeenCalledTimes(1);
  });

  test('tries no more after it was stopped', async () => {
    const consume = jest.fn<() => Promise<Consumer>>().mockRejectedValue(new Error('away'));
    const following = keepFollowing(options(consume));
    await sleep(1);
    await following.stop();
    await sleep(700);
    expect(consume).toHaveBeenCalledTimes(1);
  });
});
