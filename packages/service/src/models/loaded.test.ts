// At its start a service must not load modules that only some installations or some requests need.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** Prints the names of the packages that are loaded with a service. */
const program = `
  import { registerHooks } from 'node:module';
  const found = new Set();
  registerHooks({
    load(url, context, next) {
      found.add(/.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]);
      return next(url, context);
    },
  });
  await import(${JSON.stringify(import.meta.resolve('./service.ts'))});
  console.log(JSON.stringify([...found]));
  process.exit();
`;

test('Kafka, JSON schemas and images are loaded when they are needed', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const packages: unknown = JSON.parse(stdout);
  // Shows that the hook sees both ES modules and modules that are loaded by `require`.
  expect(packages).toEqual(expect.arrayContaining(['zod', 'protobufjs']));
  for (const late of ['kafkajs', 'ajv', 'image-size']) expect(packages).not.toContain(late);
});
