import {
  type ActionHandler,
  briefsOf,
  type Engine,
  type Named,
  PATHS,
  READ,
  rowsOf,
  requireVisible,
} from '@cadastre/rest';
import { reaches } from '../models/virtual/virtualPeers.ts';
import { virtualCircuitTermination } from '../models/virtual/virtualCircuitTermination.ts';

const END = virtualCircuitTermination.name;
const INTERFACE = 'dcim.interface';

/**
 * GET /api/circuits/virtual-circuit-terminations/<id>/paths/: the paths from its interface to the interfaces that it
 * reaches, in the same form as the paths of cables.
 */
export const virtualPathsAction = (engine: Engine): ActionHandler => ({
  methods: READ,
  operations: PATHS,
  async handle(request, id) {
    const { id: of } = await requireVisible(engine, virtualCircuitTermination, id, request);
    const { pool, tables } = engine;
    const ends = tables.nameOf(END);
    const rows = await rowsOf(pool, {
      text: `select c.id, c.status = 'active', t.interface_id, p.id, p.interface_id from ${ends} t join ${tables.nameOf('circuits.virtualcircuit')} c on c.id = t.virtual_circuit_id
        left join ${ends} p on ${reaches('t', 'p')} where t.id = $1 order by p.id`,
      values: [of],
    });
    const [circuit, active, own] = rows[0]!;
    const peers = rows.filter(([, , , peer]) => peer !== null);
    const steps: Named[][] = [
      [{ type: INTERFACE, id: Number(own) }],
      [{ type: END, id: of }],
      ...(peers.length
        ? [
            peers.map(([, , , peer]) => ({ type: END, id: Number(peer) })),
            peers.map(([, , , , far]) => ({ type: INTERFACE, id: Number(far) })),
          ]
        : []),
    ];
    const brief = await briefsOf(await engine.readContext(), steps.flat(), request.base);
    const path = steps.map((step) => `[${step.flatMap((node) => brief(node) ?? []).join(',')}]`).join(',');
    return {
      status: 200,
      headers: { Allow: READ.join(', ') },
      body: `[{"id":${circuit},"path":[${path}],"is_active":${active === 't'},"is_complete":${peers.length > 0},"is_split":false}]`,
    };
  },
});
