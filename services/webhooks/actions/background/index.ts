import type { ActionHandler, Engine } from '@cadastre/rest';
import { listing, one } from './reading.ts';
import { QUEUE, queuesOf } from './queues.ts';
import { taskActions, tasks } from './tasks.ts';
import { WORKER, workersOf } from './workers.ts';

/**
 * The reference's pages about background work, which only administrators see there too; here they show the delivery of
 * webhooks.
 */
export function background(engine: Engine, leaseMs: number): Record<string, ActionHandler> {
  const workers = (base: string) => workersOf(engine.pool, leaseMs, base);
  const queues = (base: string) => queuesOf(engine.pool, leaseMs, base);
  return {
    'core/background-queues': listing(engine, 'background-queues', QUEUE, queues),
    'core/background-queues/*': one('background-queues', QUEUE, queues),
    'core/background-workers': listing(engine, 'background-workers', WORKER, workers),
    'core/background-workers/*': one('background-workers', WORKER, workers),
    ...tasks(engine),
    ...taskActions(engine),
  };
}
