import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const STATES = ['met', 'partly', 'not met', 'not applicable'];

const rows = [...read('docs/asvs.md').matchAll(/^\| (V[\d.]+) \|(.*)\|$/gm)].map(([, id, cells]) => {
  const [level, asks, state, where, shown, ...more] = cells!.split('|').map((cell) => cell.trim());
  return { id: id!, level, asks, state, where: where ?? '', shown: shown ?? '', more };
});
const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
const isPath = (text: string): boolean => !/\s/.test(text) && (text.includes('/') || /\.\w+$/.test(text));

/** The numbers of a requirement, as they are sorted. */
const place = (id: string): number =>
  id
    .slice(1)
    .split('.')
    .reduce((sum, part) => sum * 1000 + Number(part), 0);

test('every requirement of levels 1 and 2 has one row, in the order of the standard', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => place(a) - place(b)));
  // The numbers of requirements in version 5.0.0, by its own table.
  const of = (level: string) => rows.filter((row) => row.level === level).length;
  expect([of('1'), of('2'), rows.length]).toEqual([70, 183, 253]);
  expect(new Set(ids.map((id) => id.split('.')[0])).size).toBe(17);
});

test('every row says in which state it is, where, and what shows it', () => {
  for (const { id, asks, state, where, shown, more } of rows) {
    expect([id, more]).toEqual([id, []]);
    expect(STATES).toContain(state);
    for (const text of [asks, where, shown]) expect([id, text]).not.toEqual([id, '']);
    if (shown !== 'none') expect([id, quoted(shown).filter((file) => !file.endsWith('.test.ts'))]).toEqual([id, []]);
    if (shown !== 'none') expect([id, quoted(shown).length > 0]).toEqual([id, true]);
  }
});

test('the files that it names are there, and so are the settings', () => {
  const named = rows.flatMap(({ id, where, shown }) => quoted(`${where} ${shown}`).map((text) => ({ id, text })));
  expect(named.filter(({ text }) => isPath(text) && !kept.has(text) && !existsSync(new URL(text, root)))).toEqual([]);
  const settings = [
    'packages/service/src/settings/settings.ts',
    'services/webhooks/settings.ts',
    'docs/configuration.md',
  ]
    .map(read)
    .join('\n');
  const known = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(settings);
  const names = named.filter(({ text }) => /^[A-Z][A-Z\d]*(_[A-Z\d]+)+$/.test(text));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter(({ text }) => !known(text))).toEqual([]);
});

/** Words that are not files of the project: media types, and files that an installation creates. */
const kept = new Set(['image/svg+xml', 'DATA_DIR/secrets.json']);

test('docs/security.md has the right sums, and names what is not met', () => {
  const section = /^## OWASP ASVS 5\.0, level 2\n([\s\S]*?)(?=^## )/m.exec(read('docs/security.md'))![1]!;
  for (const state of STATES) {
    const count = rows.filter((row) => row.state === state).length;
    expect(section).toContain(`| ${state} | ${count} |`);
  }
  const named = [...section.matchAll(/^- \*\*(V[\d.]+(?:, V[\d.]+)*)\*\*/gm)].flatMap(([, ids]) => ids!.split(', '));
  expect(named).toEqual(rows.filter(({ state }) => state === 'not met').map(({ id }) => id));
});
