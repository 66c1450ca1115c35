import { expect, test } from '@jest/globals';
import { UsageError } from './command.ts';
import { parked } from './parked.ts';

const events = [
  {
    service: 'dcim',
    id: 3,
    parked: '2026-01-02T03:04:05.000Z',
    group: 'dcim.replicas',
    key: 'ipam.vlan:7',
    error: 'Error: no',
  },
  {
    service: 'webhooks',
    id: 1,
    parked: '2026-01-02T03:04:06.000Z',
    group: 'webhooks',
    key: 'dcim.site:1',
    error: 'Error: never',
  },
];

async function run(
  words: string[],
  more: { all?: boolean; service?: string } = {},
): Promise<{ asked: string[]; printed: string[]; failure: Error | undefined }> {
  const asked: string[] = [];
  const printed: string[] = [];
  const send = async (method: string, path: string) => {
    asked.push(`${method} ${path}`);
    if (path.includes('webhooks/1')) throw new Error('still no');
    return path.includes('?') && !path.includes('offset')
      ? { next: 'http://x/api/core/parked-events/?limit=1000&offset=1', results: [events[0]] }
      : { next: null, results: [events[1]], unavailable: ['ipam'] };
  };
  const failure = await parked
    .run(words, { send, print: (line) => printed.push(line), service: more.service, all: more.all ?? false })
    .then(
      () => undefined,
      (error: Error) => error,
    );
  return { asked, printed, failure };
}

test('lists all pages, and names who was not reached', async () => {
  const { asked, printed } = await run(['list'], { service: 'dcim' });
  expect(asked).toEqual([
    'GET /api/core/parked-events/?limit=1000&service=dcim',
    'GET /api/core/parked-events/?limit=1000&offset=1',
  ]);
  expect(printed).toEqual([
    'Not asked, as not reached: ipam',
    'dcim 3  2026-01-02T03:04:05.000Z  dcim.replicas  ipam.vlan:7  Error: no',
    'webhooks 1  2026-01-02T03:04:06.000Z  webhooks  dcim.site:1  Error: never',
  ]);
});

test('says that there are none', async () => {
  const printed: string[] = [];
  const nothing = {
    send: async () => ({ next: null, results: [] }),
    print: (line: string) => {
      printed.push(line);
    },
    service: undefined,
    all: true,
  };
  await parked.run(['list'], nothing);
  await parked.run(['replay'], nothing);
  expect(printed).toEqual(['There are no parked events.', 'There are no parked events.']);
});

test('replays and discards one', async () => {
  expect((await run(['replay', 'dcim', '3'])).asked).toEqual(['POST /api/core/parked-events/dcim/3/replay/']);
  expect((await run(['discard', 'dcim', '3'])).asked).toEqual(['DELETE /api/core/parked-events/dcim/3/']);
});

test('replays all in their order, and goes on after one that fails', async () => {
  const { asked, printed, failure } = await run(['replay'], { all: true });
  expect(asked.slice(2)).toEqual([
    'POST /api/core/parked-events/dcim/3/replay/',
    'POST /api/core/parked-events/webhooks/1/replay/',
  ]);
  expect(printed.slice(1)).toEqual(['dcim 3  handled', 'webhooks 1  still no']);
  expect(failure?.message).toBe('1 of 2 could not be handled.');
});

test('says how it is used', async () => {
  for (const words of [[], ['nonsense'], ['replay'], ['replay', 'dcim'], ['discard', 'dcim', 'x']])
    expect((await run(words)).failure).toBeInstanceOf(UsageError);
});
