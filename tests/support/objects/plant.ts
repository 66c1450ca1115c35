import type { Body, Client } from '../client.ts';
import { unique } from '../unique.ts';

/** The types of objects that can terminate cables, by the last part of their path. */
const TYPES: Record<string, string> = {
  interfaces: 'dcim.interface',
  'front-ports': 'dcim.frontport',
  'rear-ports': 'dcim.rearport',
  'console-ports': 'dcim.consoleport',
  'console-server-ports': 'dcim.consoleserverport',
  'power-ports': 'dcim.powerport',
  'power-outlets': 'dcim.poweroutlet',
  'power-feeds': 'dcim.powerfeed',
  'circuit-terminations': 'circuits.circuittermination',
};

/** An object as a termination of a cable. */
export const endOf = ({ url, id }: Body): { object_type: string; object_id: number } => ({
  object_type: TYPES[/\/api\/\w+\/([\w-]+)\//.exec(url)![1]!]!,
  object_id: id,
});

/** Equipment for tests of cabling, in a site of its own. */
export interface Bench {
  site: Body;
  /** A device of that site. */
  device(more?: object): Promise<Body>;
  /** A component of a device: `part(device, 'interfaces', { type: 'virtual' })`. */
  part(device: Body, path: string, more?: object): Promise<Body>;
  /** A device of its own with one interface. */
  port(more?: object): Promise<Body>;
  /**
   * A patch panel: front ports and the rear ports behind them, one each, or all behind one rear port with as many
   * positions.
   */
  panel(fronts: number, o?: { trunk?: boolean }): Promise<{ device: Body; front: Body[]; rear: Body[] }>;
  cable(a: Body | Body[], b: Body | Body[], more?: object): Promise<Body>;
}

const listOf = (ends: Body | Body[]): Body[] => (Array.isArray(ends) ? ends : [ends]);

export async function openBench(admin: Client): Promise<Bench> {
  const named = (path: string, more: object = {}): Promise<Body> => {
    const slug = unique('b');
    return admin.make(path, { name: slug, slug, ...more });
  };
  const [site, maker, role] = await Promise.all([
    named('/api/dcim/sites/'),
    named('/api/dcim/manufacturers/'),
    named('/api/dcim/device-roles/'),
  ]);
  const slug = unique('type');
  const type = await admin.make('/api/dcim/device-types/', { manufacturer: maker.id, model: slug, slug });
  const bench: Bench = {
    site,
    device: (more = {}) =>
      admin.make('/api/dcim/devices/', {
        name: unique('d'),
        device_type: type.id,
        role: role.id,
        site: site.id,
        ...more,
      }),
    part: (device, path, more = {}) =>
      admin.make(`/api/dcim/${path}/`, {
        device: device.id,
        name: unique('p'),
        ...(path === 'interfaces' ? { type: '1000base-t' } : /front|rear/.test(path) ? { type: 'lc' } : {}),
        ...more,
      }),
    port: async (more = {}) => bench.part(await bench.device(), 'interfaces', more),
    async panel(fronts, { trunk = false } = {}) {
      const device = await bench.device();
      const rear: Body[] = [];
      const front: Body[] = [];
      for (let i = 0; i < (trunk ? 1 : fronts); i++)
        rear.push(await bench.part(device, 'rear-ports', trunk ? { positions: fronts } : {}));
      for (let i = 0; i < fronts; i++)
        front.push(
          await bench.part(device, 'front-ports', {
            rear_ports: [{ position: 1, rear_port: rear[trunk ? 0 : i].id, rear_port_position: trunk ? i + 1 : 1 }],
          }),
        );
      return { device, front, rear };
    },
    cable: (a, b, more = {}) =>
      admin.make('/api/dcim/cables/', {
        a_terminations: listOf(a).map(endOf),
        b_terminations: listOf(b).map(endOf),
        ...more,
      }),
  };
  return bench;
}
