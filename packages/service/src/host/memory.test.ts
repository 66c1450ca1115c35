import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { heapMb, poolMb } from '@cadastre/templates/memory';
import { configsOf } from './configs.ts';
import { besideHeap, shortage, sumOf } from './memory.ts';
import type { Service } from './service.ts';

const service = (name: string, needs: Record<string, number>): Service => ({
  name,
  memory: () => Object.entries(needs).map(([what, mb]) => ({ what, mb })),
  start: () => undefined,
});
const ofAll = (...services: Service[]) =>
  besideHeap(
    services,
    configsOf(
      { MAX_BODY_BYTES: '1048576', MEDIA_MAX_BYTES: '1024' },
      services.map(({ name }) => name),
    ).of,
  );
const named = (needs: ReturnType<typeof ofAll>) => Object.fromEntries(needs.map(({ what, mb }) => [what, mb]));

test('a process needs what its services need, and once what they share', () => {
  const alone = named(ofAll(service('dcim', { exports: 100 })));
  const both = named(ofAll(service('dcim', { exports: 100 }), service('ipam', { exports: 120, hashes: 30 })));
  expect(alone).toMatchObject({ exports: 100, 'messages and bodies under way': 64 + 4 });
  expect(both).toMatchObject({ exports: 120, hashes: 30 });
  expect(both['the process itself']!).toBeGreaterThan(alone['the process itself']!);
});

test('it is told what is missing, where there is a limit and not enough', () => {
  const needs = ofAll(service('dcim', { exports: 100 }));
  const whole = 200 + sumOf(needs);
  expect([shortage(needs, 200, 0), shortage(needs, 200, whole)]).toEqual([undefined, undefined]);
  expect(shortage(needs, 200, whole - 1)).toEqual({
    limit_mb: whole - 1,
    heap_mb: 200,
    beside_heap: expect.objectContaining({ exports: 100 }),
  });
});

test('the heap is what V8 makes of its limits', () => {
  for (const [old, semi] of [
    [64, 4],
    [1024, 8],
  ] as const) {
    const limit = execFileSync(
      process.execPath,
      [`--max-old-space-size=${old}`, `--max-semi-space-size=${semi}`, '-p', 'v8.getHeapStatistics().heap_size_limit'],
      { encoding: 'utf8', env: {} },
    );
    expect(Number(limit) / 1024 / 1024).toBeCloseTo(heapMb(old, semi), 0);
  }
  expect(poolMb({ size: 2, memoryMb: 64 })).toBe(2 * (64 + 3 * 4 + 64));
});
