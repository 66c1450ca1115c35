import { globSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadCatalogue } from '@cadastre/model';
import { recordedContracts } from '../contracts/recorded.ts';

const services = resolve(import.meta.dirname, '../../services');
const catalogue = await loadCatalogue(services);
const contracts = recordedContracts()!;
const names = readdirSync(services, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const readme = (name: string): string => readFileSync(resolve(services, name, 'README.md'), 'utf8');
/** An entry of the list, with its continuation lines. */
const entry = (name: string, what: string): string => {
  const found = new RegExp(`^- (?:\\*\\*)?${what}(?:\\*\\*)?.*(?:\\n  .*)*`, 'm').exec(readme(name));
  if (!found) throw new Error(`The README of ${name} does not say: ${what}`);
  return found[0];
};
const code = (words: Iterable<string>): string[] => [...words].map((word) => `\`${word}\``);

test.each(names)('%s says in at most 25 lines what it is, and how it is run and tested by itself', (name) => {
  const text = readme(name);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  expect(text).toMatch(new RegExp(`^# ${name}\n`));
  for (const what of ['Owns', 'Calls', 'Publishes', 'Suites', 'Alone', 'Alerts'])
    expect(entry(name, what)).toBeDefined();
  expect(entry(name, 'Alone')).toContain(`\`npm run service -- ${name}\``);
});

test.each(catalogue.services())(
  '%s says whom it calls, and what it answers and publishes, as declared and recorded',
  (name) => {
    const owned = catalogue.ownedBy(name);
    const count = /: (\d+) models\./.exec(readme(name))?.[1];
    if (count) expect(Number(count)).toBe(owned.length);
    const called = new Set([
      ...[...catalogue.replicas(name).keys()].map((type) => catalogue.serviceOf(type)!),
      ...owned.flatMap((model) => catalogue.deletions.askedAbout(model.name)),
    ]);
    for (const other of code(called.difference(new Set([name])))) expect(entry(name, 'Calls')).toContain(other);
    const { answers, publishes } = contracts.services[name]!;
    for (const one of code(answers.map((full) => full.split('.').at(-1)!)))
      expect(entry(name, 'Answers')).toContain(one);
    expect(entry(name, 'Publishes')).toContain(code([publishes.topic])[0]);
    expect(entry(name, 'Contract')).toContain(`contracts/${name}`);
  },
);

test('metrics that alerts name are there', () => {
  const root = resolve(services, '..');
  const sources = globSync('{packages,services}/**/*.ts', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/*.test.ts'],
  });
  const text = sources.map((file) => readFileSync(resolve(root, file), 'utf8')).join('\n');
  const named = names.flatMap((name) => entry(name, 'Alerts').match(/`[a-z]+_[a-z_]+`/g) ?? []);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((metric) => !text.includes(metric.replaceAll('`', "'")))).toEqual([]);
});
