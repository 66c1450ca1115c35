import { beforeAll } from '@jest/globals';
import type { Body } from '../client.ts';
import { unique } from '../unique.ts';
import { make, named, refused, used } from './dcim.ts';

// What the tests of device types, module types and their templates share.

export { make, named, refused, used };

export let manufacturer: Body;

beforeAll(async () => {
  manufacturer = await make('manufacturers', named('maker'));
});

export const typeBody = (more: object = {}) => {
  const name = unique('type');
  return { manufacturer: manufacturer.id, model: name, slug: name, ...more };
};

export const deviceType = (more: object = {}) => make('device-types', typeBody(more));

export const moduleType = (more: object = {}) =>
  make('module-types', { manufacturer: manufacturer.id, model: unique('module'), ...more });
