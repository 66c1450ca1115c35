import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { serviceNames } from './plan.ts';
import { processesFor, share } from './sharing.ts';

const services = serviceNames(fileURLToPath(new URL('../../../../services', import.meta.url)));

test('one process on a small machine, more where there are cores for them', () => {
  expect([1, 2, 3, 4, 8, 9, 128].map(processesFor)).toEqual([1, 1, 2, 2, 4, 'each', 'each']);
});

test.each([1, 2, 3, 5, services.length, 100, 'each'] as const)(
  'every service is in one process, of %s',
  (processes) => {
    const shared = share(services, processes);
    expect(shared.flat().sort()).toEqual(services);
    expect(shared).toHaveLength(processes === 'each' ? services.length : Math.min(processes, services.length));
  },
);

test('deliveries are the first to be apart, what the gateway asks for everybody the last', () => {
  expect(share(services, 1)[0]![0]).toBe('gateway');
  expect(share(services, 2).map((names) => names[0])).toEqual(['gateway', 'webhooks']);
  expect(share(services, 3).map((names) => names[0])).toEqual(['gateway', 'webhooks', 'extras']);
  expect(share(services, services.length - 1)[0]).toEqual(['gateway', 'auth']);
});

test('a service that the plan does not know stays with the gateway', () => {
  expect(share(['auth', 'gateway', 'new', 'webhooks'], 3)).toEqual([['gateway', 'new'], ['webhooks'], ['auth']]);
});
