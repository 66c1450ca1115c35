import type { Body } from '../client.ts';
import { useSystem } from '../system.ts';
import { unique } from '../unique.ts';

// What the tests of virtualization share.

export const used = useSystem();
export const at = (path: string) => `/api/virtualization/${path}/`;

export const named = (kind: string) => {
  const name = unique(kind);
  return { name, slug: name };
};

export const site = (more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make('/api/dcim/sites/', { ...named('site'), ...more });

const clusterType = (): Promise<Body> => used.admin.make(at('cluster-types'), named('type'));

export const cluster = async (more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make(at('clusters'), { name: unique('cluster'), type: (await clusterType()).id, ...more });

export const machine = async (more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make(at('virtual-machines'), {
    name: unique('vm'),
    ...('site' in more || 'cluster' in more || 'device' in more ? {} : { cluster: (await cluster()).id }),
    ...more,
  });

export const refused = async (path: string, body: unknown) => {
  const answer = await used.admin.post(at(path), body);
  return [answer.status, answer.body];
};

export const patched = async (path: string, body: unknown) => {
  const answer = await used.admin.patch(path, body);
  return [answer.status, answer.status === 200 ? undefined : answer.body];
};
