import type { Consumer, EventLog } from './log.ts';

/**
 * One log shared by several users: it is opened for the first and closed when the last has closed it. Each user has
 * consumers of its own, which are stopped when it closes the log.
 */
export function sharedLog(open: () => Promise<EventLog>): () => Promise<EventLog> {
  let users = 0;
  let opened: Promise<EventLog> | undefined;
  const leave = async (): Promise<void> => {
    users -= 1;
    if (users > 0) return;
    const log = opened;
    opened = undefined;
    await (await log)?.close();
  };
  const opening = (): Promise<EventLog> =>
    open().catch((error: unknown) => {
      opened = undefined;
      users = 0;
      throw error;
    });
  return async () => {
    users += 1;
    return handle(await (opened ??= opening()), leave);
  };
}

function handle(log: EventLog, leave: () => Promise<void>): EventLog {
  const own = new Set<Consumer>();
  let closing: Promise<void> | undefined;
  return {
    publish: log.publish.bind(log),
    mark: log.mark.bind(log),
    ensureTopics: log.ensureTopics.bind(log),
    async consume(options) {
      const consumer = await log.consume(options);
      const mine: Consumer = {
        async stop() {
          own.delete(mine);
          await consumer.stop();
        },
      };
      own.add(mine);
      return mine;
    },
    close: () =>
      (closing ??= (async () => {
        await Promise.all([...own].map((consumer) => consumer.stop()));
        await leave();
      })()),
  };
}
