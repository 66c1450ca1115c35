import type { Body } from '../client.ts';
import { useSystem } from '../system.ts';
import { unique } from '../unique.ts';

// What the tests of circuits share.

export const used = useSystem();
const api = (path: string): string => `/api/circuits/${path}/`;

export const [
  providers,
  accounts,
  networks,
  types,
  circuits,
  terminations,
  groups,
  members,
  virtualTypes,
  virtuals,
  ends,
] = [
  'providers',
  'provider-accounts',
  'provider-networks',
  'circuit-types',
  'circuits',
  'circuit-terminations',
  'circuit-groups',
  'circuit-group-assignments',
  'virtual-circuit-types',
  'virtual-circuits',
  'virtual-circuit-terminations',
].map(api) as [string, string, string, string, string, string, string, string, string, string, string];

export const named = (path: string, more: Record<string, unknown> = {}): Promise<Body> => {
  const slug = unique('x');
  return used.admin.make(path, { name: slug, slug, ...more });
};

export const network = async (provider: number, more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make(networks, { provider, name: unique('net'), ...more });

export const circuit = async (more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make(circuits, {
    cid: unique('C'),
    provider: (await named(providers)).id,
    type: (await named(types)).id,
    ...more,
  });

/** A device of its own with interfaces of the given types. */
export const interfaces = async (...kinds: string[]): Promise<Body[]> => {
  const maker = await named('/api/dcim/manufacturers/');
  const slug = unique('type');
  const type = await used.admin.make('/api/dcim/device-types/', { manufacturer: maker.id, model: slug, slug });
  const device = await used.admin.make('/api/dcim/devices/', {
    name: unique('r'),
    device_type: type.id,
    role: (await named('/api/dcim/device-roles/')).id,
    site: (await named('/api/dcim/sites/')).id,
  });
  return Promise.all(
    kinds.map((kind, i) => used.admin.make('/api/dcim/interfaces/', { device: device.id, name: `if${i}`, type: kind })),
  );
};

export const refused = async (path: string, body: object): Promise<Body> => {
  const { status, body: errors } = await used.admin.post(path, body);
  return [status, errors];
};

export const end = (of: number, side: string, type: string, id: number, more: object = {}): Promise<Body> =>
  used.admin.make(terminations, { circuit: of, term_side: side, termination_type: type, termination_id: id, ...more });
