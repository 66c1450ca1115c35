import { createKafkaLog } from './kafka.ts';
import type { EventLog } from './log.ts';
import { createPostgresLog } from './postgres.ts';

/** How the contract suite's processes find the log under test: by what these variables hold. */
export interface LogEnvironment extends Record<string, string> {
  CONTRACT_LOG: 'postgres' | 'kafka';
  /** The database's URL, or the brokers. */
  CONTRACT_ADDRESS: string;
}

/** Opens the log under test, as a process of its own would. */
export async function open({ CONTRACT_LOG, CONTRACT_ADDRESS }: LogEnvironment): Promise<EventLog> {
  return CONTRACT_LOG === 'kafka'
    ? createKafkaLog({ brokers: CONTRACT_ADDRESS.split(','), partitions: 4, sessionTimeout: 6000 })
    : createPostgresLog({ connection: CONTRACT_ADDRESS, lease: 2000 });
}

/** The same with the variables of this process. */
export const openFromEnvironment = (): Promise<EventLog> => open(process.env as unknown as LogEnvironment);
