import { createKafkaLog } from '../kafka.ts';
import type { EventLog, OnLog } from '../log/log.ts';
import { createPostgresLog } from '../postgres.ts';

/** The environment variables by which the contract suite's processes find the log under test. */
export interface LogEnvironment extends Record<string, string | undefined> {
  CONTRACT_LOG: 'postgres' | 'kafka';
  /** The database's URL, or the brokers. */
  CONTRACT_ADDRESS: string;
  /** The number of partitions of topics that are created. */
  CONTRACT_PARTITIONS?: string;
}

/** Opens the log under test, as a process of its own would. */
export async function open(
  { CONTRACT_LOG, CONTRACT_ADDRESS, CONTRACT_PARTITIONS = '4' }: LogEnvironment,
  onLog: OnLog = () => {},
): Promise<EventLog> {
  const options = { partitions: Number(CONTRACT_PARTITIONS), onLog };
  return CONTRACT_LOG === 'kafka'
    ? createKafkaLog({ brokers: CONTRACT_ADDRESS.split(','), sessionTimeout: 6000, ...options })
    : createPostgresLog({ connection: CONTRACT_ADDRESS, lease: 2000, ...options });
}

/** The same with the variables of this process. */
export const openFromEnvironment = (): Promise<EventLog> => open(process.env as unknown as LogEnvironment);
