import { beforeAll } from '@jest/globals';
import type { Body } from '../client.ts';
import { Equipment } from './equipment.ts';
import { useSystem } from '../system.ts';

// What the tests of components share.

export const used = useSystem();
export const kit = new Equipment(() => used.admin);
export const interfaces = (body: unknown) => kit.refused('post', 'dcim/interfaces', body);

export let device: Body, other: Body;

beforeAll(async () => {
  [device, other] = [await kit.device(), await kit.device()];
});
