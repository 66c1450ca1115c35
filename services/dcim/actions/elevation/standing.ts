import { quote } from '@cadastre/model';
import { type Engine, rowsOf } from '@cadastre/rest';
import type { Face } from './parameters.ts';
import type { Standing } from './units.ts';

export interface Colored extends Standing {
  color: string;
  frontImage: string;
  rearImage: string;
}

/** All devices that are mounted in some racks, by rack id, including those that the requester may not see. */
export async function standingIn(engine: Engine, racks: readonly number[]): Promise<Map<number, Colored[]>> {
  const { tables } = engine;
  const columns = ['u_height', 'is_full_depth', 'front_image', 'rear_image']
    .map((name) => `t.${quote(name)}`)
    .join(', ');
  const rows = await rowsOf(engine.pool, {
    text: `select d.rack_id, d.id, d.position, d.face, r.color, ${columns} from ${tables.nameOf('dcim.device')} d
      join ${tables.nameOf('dcim.devicetype')} t on t.id = d.device_type_id join ${tables.nameOf('dcim.devicerole')} r on r.id = d.role_id
      where d.rack_id = any($1::bigint[]) and d.position is not null order by d.position`,
    values: [[...racks]],
  });
  const found = new Map(racks.map((id): [number, Colored[]] => [id, []]));
  for (const [rack, number, position, face, color, height, fullDepth, frontImage, rearImage] of rows)
    found.get(Number(rack))?.push({
      id: Number(number),
      position: Number(position),
      face: (face || null) as Face | null,
      color: color!,
      height: Number(height),
      fullDepth: fullDepth === 't' || fullDepth === 'true',
      frontImage: frontImage ?? '',
      rearImage: rearImage ?? '',
    });
  return found;
}
