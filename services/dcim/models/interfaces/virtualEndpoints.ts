import { reaches } from '../../../circuits/models/virtual/virtualPeers.ts';
import type { Beside } from '../cables/cabled.ts';

const ENDS = 'circuits.virtualcircuittermination';

/** Virtual interfaces are connected to the other ends of virtual circuits. */
export const virtualEndpoints: Beside = {
  from: [ENDS],
  to: [ENDS],
  sql: (tableOf) =>
    `select t.interface_id, '${ENDS}', p.id, p.id from ${tableOf(ENDS)} t join ${tableOf(ENDS)} p on ${reaches('t', 'p')} where t.interface_id = any($1::bigint[])`,
};
