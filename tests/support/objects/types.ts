import { beforeAll } from '@jest/globals';
import type { Body } from '../client.ts';
import { useSystem } from '../system.ts';
import { unique } from '../unique.ts';

// What the tests of device types, module types and their templates share.

export const used = useSystem();

export const named = (prefix: string) => {
  const name = unique(prefix);
  return { name, slug: name };
};

export const make = (path: string, body: unknown): Promise<Body> => used.admin.make(`/api/dcim/${path}/`, body);

export const refused = async (method: 'post' | 'patch', path: string, body: unknown) => {
  const answer = await used.admin[method](`/api/dcim/${path}/`, body);
  return [answer.status, answer.body];
};

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
