import { describe, expect, it } from '@jest/globals';
import { deliver } from './deliver.ts';
import { InvalidEvent } from '../event/event.ts';
import type { ConsumeOptions, FailureContext, ReceivedMessage } from './log.ts';

const message = (key: string): ReceivedMessage => ({
  topic: 't',
  partition: 0,
  position: key,
  time: new Date(),
  key,
  value: key,
  headers: {},
});
const batch = ['1', '2', '3'].map(message);
const going = new AbortController().signal;
const retry = { attempts: 3, firstDelay: 1, maxDelay: 2 };

function recorder(fail: (keys: string[], call: number) => unknown) {
  const calls: string[] = [];
  const parked: string[] = [];
  const failures: FailureContext[] = [];
  const options: ConsumeOptions = {
    topics: ['t'],
    group: 'g',
    retry,
    handler: async (messages) => {
      const keys = messages.map((each) => each.key);
      calls.push(keys.join());
      const error = fail(keys, calls.length);
      if (error) throw error;
    },
    park: async (each) => void parked.push(each.key),
    onError: (_error, context) => void failures.push(context),
  };
  return { calls, parked, failures, options };
}

describe('deliver', () => {
  it('hands over the batch at once', async () => {
    const { calls, options } = recorder(() => null);
    expect(await deliver(batch, options, going)).toBe(3);
    expect(calls).toEqual(['1,2,3']);
  });

  it('finds the message that fails, parks it after its attempts and goes on in order', async () => {
    const { calls, parked, options } = recorder((keys) => (keys.includes('2') ? new Error('bad') : null));
    expect(await deliver(batch, options, going)).toBe(3);
    expect(calls).toEqual(['1,2,3', '1', '2', '2', '2', '3']);
    expect(parked).toEqual(['2']);
  });

  it('parks what is not an event without trying again', async () => {
    const { calls, parked, options } = recorder((keys) => (keys.includes('2') ? new InvalidEvent('no') : null));
    await deliver(batch, options, going);
    expect(calls).toEqual(['1,2,3', '1', '2', '3']);
    expect(parked).toEqual(['2']);
  });

  it('waits for an outage to end, whatever its length, and keeps the batch whole', async () => {
    const down = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const { calls, parked, options } = recorder((_keys, call) => (call < 9 ? down : null));
    expect(await deliver(batch, options, going)).toBe(3);
    expect(calls).toEqual(Array.from({ length: 9 }, () => '1,2,3'));
    expect(parked).toEqual([]);
  });

  it('tries for ever without a park, until stopped, and counts what is done', async () => {
    const stop = new AbortController();
    const { calls, options } = recorder((keys, call) => {
      if (call > 20) stop.abort();
      return keys.includes('2') ? new Error('bad') : null;
    });
    expect(await deliver(batch, { ...options, park: undefined }, stop.signal)).toBe(1);
    expect(calls.length).toBe(21);
  });

  it('tries again when parking fails, and survives an onError that throws', async () => {
    const { calls, options, failures } = recorder(() => new Error('bad'));
    let parks = 0;
    const park = async (): Promise<void> => {
      parks += 1;
      if (parks === 1) throw new Error('disk full');
    };
    const onError = (_error: unknown, context: FailureContext): void => {
      failures.push(context);
      throw new Error('logger broken');
    };
    expect(await deliver([message('1')], { ...options, park, onError }, going)).toBe(1);
    expect(calls.length).toBe(4);
    expect(failures.map((failure) => failure.stage)).toEqual(['handle', 'handle', 'handle', 'park', 'handle']);
  });
});
