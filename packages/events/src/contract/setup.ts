import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type LogEnvironment, open } from './open.ts';
import { type MemberProcess, type Seen, startMember } from './tools.ts';
import type { ConsumeOptions, Consumer, EventLog } from '../log/log.ts';

/** Opens the log under test for the tests of a file, and clears away what a failed test leaves behind. */
export function useLog(environment: () => LogEnvironment) {
  let log: EventLog;
  beforeAll(async () => {
    log = await open(environment());
  });
  afterAll(() => log.close());

  // What a failed test leaves behind.
  const leftovers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const clear of leftovers.splice(0)) await clear();
  });

  const fresh = () => ({ topic: `t-${randomUUID()}`, group: `g-${randomUUID()}` });
  const consume = async (
    where: { topic: string; group: string },
    more: Pick<ConsumeOptions, 'handler'> & Partial<ConsumeOptions>,
    through = log,
  ): Promise<Consumer> => {
    const consumer = await through.consume({ topics: [where.topic], group: where.group, ...more });
    leftovers.push(() => consumer.stop());
    return consumer;
  };
  const collect = (
    where: { topic: string; group: string },
    seen: Seen[],
    more: Partial<ConsumeOptions> = {},
  ): Promise<Consumer> => consume(where, { handler: async (batch) => void seen.push(...batch), ...more });
  const another = async (): Promise<EventLog> => {
    const other = await open(environment());
    leftovers.push(() => other.close());
    return other;
  };
  const member = (options: Parameters<typeof startMember>[1]): MemberProcess => {
    const started = startMember(environment(), options);
    leftovers.push(() => started.die());
    return started;
  };

  return { opened: () => log, fresh, consume, collect, another, member, leftovers };
}
