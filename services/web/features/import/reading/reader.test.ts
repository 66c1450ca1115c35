import { afterAll, expect, test } from '@jest/globals';
import { createReader } from './reader.ts';
import { importsFrom } from './settings.ts';

const config = { maxBulkItems: 10_000, maxBodyBytes: 10 * 1024 * 1024 };
const readers = [
  createReader(importsFrom({}, config)),
  createReader(importsFrom({ IMPORT_TIMEOUT_MS: '300', IMPORT_MEMORY_MB: '64', IMPORT_QUEUE_PER_USER: '1' }, config)),
] as const;
const [reader, narrow] = readers;
afterAll(() => Promise.all(readers.map((one) => one.close())));

const never = new AbortController().signal;
const read = (text: string, who = reader, gone = never, told = (_: number): void => {}) =>
  who.read('a', { text: Buffer.from(text), format: 'auto', unique: ['slug'] }, gone, told);
const yaml = (count: number): string =>
  Array.from({ length: count }, (_, i) => `---\nname: a${i}\nslug: ${i % 5_000}\n`).join('');

test('a text is read alike here and in a process apart, which tells how far it is', async () => {
  const [short, long] = [await read('name,slug\na,b\n'), await read(yaml(6_000))];
  expect(short).toMatchObject({ texts: true, total: 1, changes: 0, portions: [expect.any(String)], repeats: [] });
  expect(long).toMatchObject({ texts: false, total: 6_000, changes: 0 });
  expect(long).toHaveProperty('repeats.length', 200);
  expect(long).toHaveProperty('portions.length', 12);
  const told: number[] = [];
  await read(yaml(10_000), reader, never, (rows) => told.push(rows));
  expect(told.length).toBeGreaterThan(0);
  expect(told.every((rows) => rows > 0 && rows <= 10_000)).toBe(true);
});

test('what takes too long, or too much memory, is a text that cannot be read', async () => {
  expect(await read(yaml(9_000), narrow)).toEqual({ fault: 'importReadLimit', said: {}, at: {} });
  expect(await read(`a: [${'1,'.repeat(4_000_000)}]`, narrow)).toEqual({ fault: 'importReadLimit', said: {}, at: {} });
  // The next text is read nevertheless.
  expect(await read(`[${'{"a": 1},'.repeat(20_000)}{}]`, narrow)).toMatchObject({ fault: 'importRows' });
});

test('who leaves ends the reading, and one user has only so many', async () => {
  const leaving = new AbortController();
  const some = Array.from({ length: 3 }, () => read(yaml(9_000), reader, leaving.signal));
  const more = [read(yaml(9_000), narrow, leaving.signal), read(yaml(9_000), narrow, leaving.signal)];
  await expect(read(yaml(9_000), narrow)).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '5' } });
  leaving.abort();
  for (const one of [...some, ...more]) await expect(one).rejects.toMatchObject({ status: 499 });
  // Short texts do not wait for the others.
  expect(await read('{"a": 1}', narrow)).toMatchObject({ total: 1 });
});
