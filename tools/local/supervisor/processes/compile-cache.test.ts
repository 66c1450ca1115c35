import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compileCache, warm } from './compile-cache.ts';

const services = fileURLToPath(new URL('../../../../services', import.meta.url));
const never = new AbortController().signal;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'compile-cache-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const files = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

test('an empty cache is filled with what services have in common, a filled one is left alone', async () => {
  const env = { ...process.env, NODE_COMPILE_CACHE: folder };
  await warm(services, env, never);
  const filled = files();
  // The declarations of all services, and the libraries.
  expect(filled.length).toBeGreaterThan(300);
  rmSync(join(folder, filled.at(-1)!));
  await warm(services, env, never);
  expect(files()).toEqual(filled.slice(0, -1));
});

test('it belongs to the checkout, whatever the data', () => {
  expect(compileCache('/one')).toBe(compileCache('/other'));
  expect(compileCache('/one')).toContain(join('node_modules', '.cache'));
});
