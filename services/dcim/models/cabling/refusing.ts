import type { EffectContext } from '@cadastre/model';
import type { Node } from './plant.ts';
import { retrace } from './retrace.ts';
import { UnsupportedPath } from './trace.ts';

/** Traces anew what the nodes lie on; cabling that makes no path is refused. */
export async function retraceOrRefuse(nodes: Node[], context: EffectContext): Promise<void> {
  try { await retrace(nodes, context); } catch (error) {
    if (error instanceof UnsupportedPath) context.refuse({ detail: error.message });
    throw error;
  }
}
