import { beforeAll } from '@jest/globals';
import type { Body } from '../client.ts';
import { type Bench, openBench } from './plant.ts';
import { useSystem } from '../system.ts';

// What the tests of cable paths share.

export const used = useSystem();
export let bench: Bench;

beforeAll(async () => {
  bench = await openBench(used.admin);
});

export const again = (object: Body): Promise<Body> => used.admin.read(object.url);
export const ids = (objects: Body[]): number[] => objects.map(({ id }) => id);

/** A trace as `near > cable > far` of each segment. */
export const traced = async (object: Body): Promise<string[]> =>
  (await used.admin.read(`${object.url}trace/`)).map(
    ([near, cable, far]: [Body[], Body, Body[]]) => `${ids(near)} > ${cable?.id ?? '-'} > ${ids(far)}`,
  );

export const pathsOver = async (object: Body): Promise<Body[]> => used.admin.read(`${object.url}paths/`);

export const endpoints = async (object: Body): Promise<unknown> => {
  const { connected_endpoints: found, connected_endpoints_reachable: reachable } = await again(object);
  return [found && ids(found), reachable];
};
