import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { pause } from '../../waiting/backoff.ts';
import { type Client, createClient, type KafkaLogOptions, stallOf } from './client.ts';

/** What a promise resolves with, if it does in time. */
export async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: done.signal }).then(
    () => {
      throw new Error(`${what}: no answer within ${milliseconds / 1000} s`);
    },
    () => promise,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    done.abort();
  }
}

/**
 * Resolves with what the promise resolves with, unless the signal is aborted first. A later rejection of the promise is
 * ignored.
 * @throws the signal's reason when it is aborted first
 */
export async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    // A long-lived signal would otherwise keep this listener, and all that it references, in memory.
    signal.removeEventListener('abort', abort);
  }
}

/** How long a request to the brokers is repeated while the cluster is getting ready, in milliseconds. */
export const patience = 30_000;

/** Repeats a request as long as the brokers answer with a retriable error. */
export async function whenReady<T>(ask: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + patience; ; await pause(200)) {
    try {
      return await ask();
    } catch (error) {
      if ((error as { retriable?: boolean }).retriable !== true || Date.now() > until) throw error;
    }
  }
}

/** Sends requests to the brokers by a client of its own, and limits how long that may take. */
export async function asking<T>(options: KafkaLogOptions, what: string, ask: (admin: Admin) => Promise<T>): Promise<T> {
  const client: Client = createClient(options);
  const admin = client.kafka.admin();
  const work = async (): Promise<T> => {
    await admin.connect();
    const answer = await ask(admin);
    await admin.disconnect();
    return answer;
  };
  try {
    return await within(patience + stallOf(options), what, work());
  } finally {
    client.destroy();
  }
}
