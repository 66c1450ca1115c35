import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { patienceMs } from '../../../../tests/support/eventually.ts';
import type { LogEnvironment } from './open.ts';
import type { EventLog, Message, ReceivedMessage } from '../log/log.ts';

/** The parts of a handled message that tests compare. */
export type Seen = Pick<ReceivedMessage, 'key' | 'value'>;

/** Waits until a condition holds, and says what was wanted when it does not in time. */
export async function until(what: string, holds: () => boolean, within = patienceMs): Promise<void> {
  for (const deadline = Date.now() + within; !holds(); await sleep(10)) {
    if (Date.now() > deadline) throw new Error(`not within ${within} ms: ${what}`);
  }
}

/** `count` messages over `keys` keys; values number the messages of a key: «k3 0», «k3 1», … */
export const numbered = (count: number, keys: number, from = 0): Message[] =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return { key: `k${number % keys}`, value: `k${number % keys} ${Math.floor(number / keys)}` };
  });

/** Publishes numbered messages, one call after the other, as a relay does. */
export function createPublisher(log: EventLog, topic: string, keys: number) {
  let count = 0;
  let sending: Promise<void> = Promise.resolve();
  return {
    keys,
    /** How many were asked for so far. */
    count: () => count,
    publish(more: number): Promise<void> {
      const messages = numbered(more, keys, count);
      count += more;
      sending = sending.then(() => log.publish(topic, messages));
      return sending;
    },
  };
}

/** The distinct values of each key in the order in which they were first seen. */
export function firstSeen(seen: readonly Seen[]): Map<string, number[]> {
  const keys = new Map<string, Set<number>>();
  for (const { key, value } of seen) {
    const numbers = keys.get(key) ?? new Set();
    keys.set(key, numbers.add(Number(value.split(' ')[1])));
  }
  return new Map([...keys].map(([key, numbers]) => [key, [...numbers]]));
}

/** What is missing or out of order in what was seen of `numbered(count, keys)`; empty when all is well. */
export function faults(seen: readonly Seen[], count: number, keys: number): string[] {
  const found = firstSeen(seen);
  return Array.from({ length: keys }, (_, k) => {
    const expected = Array.from({ length: Math.ceil((count - k) / keys) }, (_, number) => number).join();
    const actual = (found.get(`k${k}`) ?? []).join();
    return actual === expected ? '' : `k${k}: ${actual}`;
  }).filter(Boolean);
}

export interface MemberProcess {
  seen: Seen[];
  joined(): Promise<void>;
  /** kill -9. */
  die(): Promise<void>;
}

/**
 * A consumer in a process of its own. It waits `delay` ms after each message, and for ever in the handler at message
 * number `hangAfter`.
 */
export function startMember(
  environment: LogEnvironment,
  options: { topic: string; group: string; delay?: number; hangAfter?: number },
): MemberProcess {
  const file = join(import.meta.dirname, 'member.ts');
  const child: ChildProcess = spawn(process.execPath, [file, JSON.stringify({ delay: 0, ...options })], {
    env: { ...process.env, ...environment, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const seen: Seen[] = [];
  let joined = false;
  if (!child.stdout) throw new Error('no output');
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line) as Seen | { joined: true };
    if ('joined' in message) joined = true;
    else seen.push(message);
  });
  const exited = new Promise<void>((done) => child.once('close', () => done()));
  return {
    seen,
    joined: () => until('the process joins', () => joined),
    async die() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
