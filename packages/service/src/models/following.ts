import { topicOf } from '@cadastre/events';
import { applyEvents, relevanceFilter, concerns, pointedAt } from '@cadastre/rest';
import type { Replicas } from '../replicas/start.ts';
import type { ModelService, ModelServiceOptions } from './options.ts';
import type { ReadAfterWrite } from './consistency/readAfterWrite.ts';

/** The consumer group in which a service follows the others. */
export const groupOf = (name: string): string => `${name}.replicas`;

/** Follows the changes of all services: updates the replicas first, then runs the service's own handler. */
export function startFollowing(
  service: ModelService,
  options: ModelServiceOptions,
  followed: readonly string[],
  replicas: Replicas,
  seen: Pick<ReadAfterWrite, 'has'>,
): void {
  const { name, config, followers, engine, log, onClose } = service;
  if (!followed.length) return;
  const known = new Map<string, boolean>();
  const wanted = (type: string): boolean => {
    const is = known.get(type) ?? concerns(engine, type);
    known.set(type, is);
    return is;
  };
  const consumer = followers.follow({
    services: followed,
    group: groupOf(name),
    linger: config.eventLingerMs,
    batchSize: config.eventBatch,
    relevance: relevanceFilter(engine),
    ...(options.onEvents || engine.tables.keepsAnyObject
      ? {}
      : {
          wants: async () => {
            const pointed = await pointedAt(engine);
            return (type: string) => wanted(type) || pointed.has(type);
          },
        }),
    handle: async (batch) => {
      await applyEvents(
        engine,
        batch.filter((event) => !seen.has(event)),
      );
      replicas.followed(batch);
      await options.onEvents?.(service, batch);
    },
    onMissed: (topics) => replicas.missed(followed.filter((service) => topics.includes(topicOf(service)))),
    onError: (error, where) =>
      log.warn({ err: error, ...where, message: undefined, key: where.message?.key }, 'an event could not be handled'),
  });
  onClose('follower', () => consumer.stop());
}
