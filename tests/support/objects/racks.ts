import { beforeAll } from '@jest/globals';
import type { Body } from '../client.ts';
import { unique } from '../unique.ts';
import { make, named, refused, used } from './dcim.ts';

// What the tests of racks and their elevations share.

export { make, named, refused, used };

export let here: Body, there: Body, manufacturer: Body, role: Body;

beforeAll(async () => {
  [here, there] = await make('sites', [named('here'), named('there')]);
  manufacturer = await make('manufacturers', named('maker'));
  role = await make('device-roles', { ...named('role'), color: '0000ff' });
});

export const rackIn = (more: object = {}) => make('racks', { name: unique('rack'), site: here.id, ...more });

export const typeOf = (more: object = {}) => {
  const name = unique('type');
  return make('device-types', { manufacturer: manufacturer.id, model: name, slug: name, ...more });
};

export const mounted = (rack: Body, type: Body, position: number, face = 'front') =>
  make('devices', {
    name: unique('device'),
    site: rack.site.id,
    location: rack.location?.id ?? null,
    rack: rack.id,
    role: role.id,
    device_type: type.id,
    position,
    face,
  });
