import type { EffectContext, Stored } from '@cadastre/model';
import type { Node } from './plant.ts';
import { retrace } from './retrace.ts';

/** Retraces the paths over the nodes. New cabling that makes a path invalid is refused; removing cabling never is. */
export async function retraceOrRefuse(
  nodes: Node[],
  changes: readonly Stored[],
  context: EffectContext,
): Promise<void> {
  const problem = await retrace(nodes, context);
  if (problem && changes.some(({ action }) => action === 'created')) context.refuse({ detail: problem });
}
