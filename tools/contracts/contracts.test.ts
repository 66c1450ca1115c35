import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { loadCatalogue } from '@cadastre/model';
import { parseEvent } from '@cadastre/events';
import { textOf, validateEvent } from '@cadastre/events/eventText';
import { SERVICES } from '../local/service/alone.ts';
import { ADVICE, broken, presentContracts, recordedContracts, recordedExample } from './recorded.ts';

const catalogue = await loadCatalogue(SERVICES);
const present = presentContracts(catalogue);
const recorded = recordedContracts()!;

test('neighbours of the last release understand what services answer and publish', () => {
  const problems = broken(recorded, present);
  if (problems.length) throw new Error(`${problems.join('\n')}\n\n${ADVICE}`);
});

test('what was added is recorded', () => {
  // JSON has no undefined.
  const now = JSON.parse(JSON.stringify(present));
  if (!isDeepStrictEqual(recorded, now)) console.error('Record what was added: npm run contracts');
  expect(recorded).toEqual(now);
});

test.each(catalogue.services())('the example of %s is an event as it is recorded', (service) => {
  const { key, value } = recordedExample(service);
  const event = validateEvent(value);
  expect(key).toBe(`${event.objectType}:${event.objectId}`);
  expect(parseEvent(textOf(event)).data).toEqual(event.data);
  const { row, data } = recorded.services[service]!.publishes.objects[event.objectType]!;
  expect(Object.keys(event.row!).sort()).toEqual(Object.keys(row!).sort());
  // A new object has no counts.
  for (const name of Object.keys(event.data!)) expect(Object.keys(data)).toContain(name);
});
