import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const services = resolve(import.meta.dirname, '../../services');
const names = readdirSync(services, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test.each(names)('%s says in at most 25 lines what it is, and how it is run and tested by itself', (name) => {
  const text = readFileSync(resolve(services, name, 'README.md'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  expect(text).toMatch(new RegExp(`^# ${name}\n`));
  for (const what of ['Owns', 'Calls', 'Publishes', 'Suites', 'Alone', 'Alerts']) expect(text).toContain(what);
});
