// Every process of the deployments fits into its memory limit, whatever it does at the same time: V8's heap
// and everything beside it, with a tenth to spare.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { configsOf } from '@cadastre/service/host/configs';
import { besideHeap, sumOf } from '@cadastre/service/host/memory';
import type { Service } from '@cadastre/service/host/service';
import { composed, hasKubectl, hostedBy, megabytes, overlays, rendered } from './rendered.ts';

const root = resolve(import.meta.dirname, '../..');
const RESERVE = 0.1;
const nodeOptionsOfImage = /NODE_OPTIONS="([^"]+)"/.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))![1]!;
const services = new Map<string, Service>();
for (const name of readdirSync(join(root, 'services')))
  if (existsSync(join(root, 'services', name, 'service.ts')))
    services.set(name, ((await import(join(root, 'services', name, 'service.ts'))) as { service: Service }).service);

/** The heap limit that V8 derives from the options, in MB. */
const heaps = new Map<string, number>();
function heapOf(options: string): number {
  if (!heaps.has(options))
    heaps.set(
      options,
      Number(
        execFileSync(process.execPath, [...options.split(' '), '-p', 'v8.getHeapStatistics().heap_size_limit'], {
          encoding: 'utf8',
          env: {},
        }),
      ) /
        1024 /
        1024,
    );
  return heaps.get(options)!;
}

/** The most memory that a process with these variables uses, in MB. */
function mostOf(command: readonly string[], env: Record<string, string>): number {
  const names = hostedBy(command);
  const { of } = configsOf(env, names);
  // A migration is one of our processes with hardly anything beside its heap.
  const beside = besideHeap(
    names.map((name) => services.get(name)!),
    of,
  );
  return heapOf(env.NODE_OPTIONS || nodeOptionsOfImage) + sumOf(beside);
}

const fits = (most: number, limit: string | undefined): void => {
  expect(limit).toBeDefined();
  expect(Math.ceil(most * (1 + RESERVE))).toBeLessThanOrEqual(megabytes(limit!));
};

describe('docker-compose.yml', () => {
  const all = composed();
  const ours = Object.entries(all).filter(([, { command }]) => command?.[0] === 'node');
  test('limits every process of ours', () => expect(ours.length).toBeGreaterThanOrEqual(services.size + 3));
  test.each(ours)('%s', (_name, { command = [], environment = {}, mem_limit, tmpfs = [] }) => {
    // Files in such a volume count as memory.
    const files = tmpfs.map((one) => megabytes(/^\/tmp:size=(\w+)$/.exec(one)![1]!)).reduce((a, b) => a + b, 0);
    fits(mostOf(command, settingsIn(environment as Record<string, string>)) + files, mem_limit);
  });
  test('kafka', () => {
    const [, heap] = /-Xmx(\w+)$/.exec(all.kafka!.environment!.KAFKA_HEAP_OPTS!)!;
    fits(javaOf(heap!), all.kafka!.mem_limit);
  });
});

(hasKubectl ? describe.each(overlays) : describe.skip.each(overlays))('%s', (folder) => {
  const objects = hasKubectl ? rendered(folder) : [];
  const settings = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('cadastre'));
  const containers = objects.flatMap(({ kind, metadata, spec }) =>
    [...(spec?.template?.spec.initContainers ?? []), ...(spec?.template?.spec.containers ?? [])].map(
      (container) => [`${kind} ${metadata.name}, ${container.name}`, container] as const,
    ),
  );
  test('has containers', () => expect(containers.length).toBeGreaterThan(2));
  test.each(containers)('%s', (_name, { command = [], env = [], image, resources }) => {
    const limit = resources?.limits?.memory;
    const own = Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
    if (command[0] === 'node') fits(mostOf(command, settingsIn({ ...settings?.data, ...own })), limit);
    else if (own.KAFKA_HEAP_OPTS) fits(javaOf(/-Xmx(\w+)$/.exec(own.KAFKA_HEAP_OPTS)![1]!), limit);
    else {
      // PostgreSQL has no heap of a size; it has a limit.
      expect([image.split(':')[0], limit]).toEqual(['postgres', expect.any(String)]);
    }
  });
});

/** The heap, as much again for buffers outside of it, and the program. */
const javaOf = (heap: string): number => 2 * megabytes(heap) + 320;

/** Only the variables about sizes: the others are checked elsewhere, and are not valid without secrets. */
function settingsIn(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => /(_MB|_KB|_BYTES|_CONCURRENCY|_WORKERS|NODE_OPTIONS)$/.test(name)),
  );
}
