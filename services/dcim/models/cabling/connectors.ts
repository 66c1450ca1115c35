import type { Json, Values } from '@cadastre/model';
import type { Side } from './plant.ts';
import { positionsOf, profileOf } from './profiles.ts';

/** The ends of a side at the connectors of the cable's profile, in their order; without a profile there are none. */
export function inConnectors(rows: Values[], name: Json | undefined, side: Side): Values[] {
  const profile = profileOf(name);
  return rows.map((row, i) => ({
    ...row,
    connector: profile ? i + 1 : null,
    positions: profile ? positionsOf(profile, side, i + 1) : null,
  }));
}
