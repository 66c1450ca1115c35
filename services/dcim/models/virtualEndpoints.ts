import { reaches } from '../../circuits/models/virtualPeers.ts';
import type { Beside } from './cabled.ts';

const ENDS = 'circuits.virtualcircuittermination';

/** Virtual interfaces are connected by virtual circuits. */
export const virtualEndpoints: Beside = {
  from: [ENDS],
  sql: (tableOf) => `select t.interface_id, 'dcim.interface', p.interface_id, p.id from ${tableOf(ENDS)} t join ${tableOf(ENDS)} p on ${reaches('t', 'p')} where t.interface_id = any($1::bigint[])`,
};
