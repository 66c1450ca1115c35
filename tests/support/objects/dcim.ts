import type { Body } from '../client.ts';
import { useSystem } from '../system.ts';
import { unique } from '../unique.ts';

// What tests of racks, of types and of their templates share.

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
