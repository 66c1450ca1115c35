import type { Body, Client } from '../client.ts';
import { unique } from '../unique.ts';

/** Creates objects for tests about equipment, each with a name of its own. */
export class Equipment {
  readonly #client: () => Client;
  #manufacturer: Promise<Body> | undefined;
  #role: Promise<Body> | undefined;

  constructor(client: () => Client) {
    this.#client = client;
  }

  make(path: string, body: unknown): Promise<Body> {
    return this.#client().make(`/api/${path}/`, body);
  }

  /** Status and body of a request that is expected to be refused. */
  async refused(method: 'post' | 'patch' | 'delete', path: string, body?: unknown): Promise<[number, Body]> {
    const answer = await this.#client()[method](`/api/${path}/`, body);
    return [answer.status, answer.body];
  }

  async patch(path: string, body: unknown): Promise<Body> {
    const answer = await this.#client().patch(`/api/${path}/`, body);
    if (answer.status !== 200) throw new Error(`PATCH ${path}: ${answer.status} ${answer.text.slice(0, 1000)}`);
    return answer.body;
  }

  read(path: string): Promise<Body> {
    return this.#client().read(`/api/${path}/`);
  }

  /** The ids of the objects that a list finds. */
  ids(path: string): Promise<number[]> {
    return this.#client().column(`/api/${path}`, 'id');
  }

  named(prefix: string, more: object = {}): object {
    const name = unique(prefix);
    return { name, slug: name, ...more };
  }

  manufacturer(): Promise<Body> {
    return (this.#manufacturer ??= this.make('dcim/manufacturers', this.named('maker')));
  }

  role(): Promise<Body> {
    return (this.#role ??= this.make('dcim/device-roles', this.named('role')));
  }

  site(more: object = {}): Promise<Body> {
    return this.make('dcim/sites', this.named('site', more));
  }

  rack(site: Body, more: object = {}): Promise<Body> {
    return this.make('dcim/racks', { name: unique('rack'), site: site.id, ...more });
  }

  async deviceType(more: object = {}): Promise<Body> {
    const name = unique('type');
    return this.make('dcim/device-types', {
      manufacturer: (await this.manufacturer()).id,
      model: name,
      slug: name,
      ...more,
    });
  }

  async moduleType(more: object = {}): Promise<Body> {
    return this.make('dcim/module-types', {
      manufacturer: (await this.manufacturer()).id,
      model: unique('module'),
      ...more,
    });
  }

  /** The body of a device; without a type or a site it gets new ones. */
  async deviceBody(more: { device_type?: number; site?: number; [field: string]: unknown } = {}): Promise<Body> {
    return {
      name: unique('device'),
      role: (await this.role()).id,
      device_type: more.device_type ?? (await this.deviceType()).id,
      site: more.site ?? (await this.site()).id,
      ...more,
    };
  }

  async device(more: { device_type?: number; site?: number; [field: string]: unknown } = {}): Promise<Body> {
    return this.make('dcim/devices', await this.deviceBody(more));
  }

  interface(device: Body, more: object = {}): Promise<Body> {
    return this.make('dcim/interfaces', { device: device.id, name: unique('eth'), type: '1000base-t', ...more });
  }
}
