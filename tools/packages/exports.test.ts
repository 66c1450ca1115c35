import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const packages = resolve(import.meta.dirname, '../../packages');

/** Files that are loaded by a name that the compiler does not see have to exist as well. */
test.each(readdirSync(packages))('%s exports files that are there, each by its name', (name) => {
  const { exports } = JSON.parse(readFileSync(resolve(packages, name, 'package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  expect(Object.keys(exports).filter((entry) => entry.includes('*'))).toEqual([]);
  expect(Object.values(exports).filter((file) => !existsSync(resolve(packages, name, file)))).toEqual([]);
});
