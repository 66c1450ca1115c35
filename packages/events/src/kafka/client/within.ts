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
 * What a promise resolves with, if it does before the signal is aborted. @throws the signal's reason otherwise; what
 * the promise comes to then, nobody hears
 */
export async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    // Signals that live long would hold it, and all that it knows.
    signal.removeEventListener('abort', abort);
  }
}

/** How long questions to the brokers may be asked again while the cluster gets ready, in milliseconds. */
export const patience = 30_000;

/** Asks again as long as the brokers say that they cannot tell yet. */
export async function whenReady<T>(ask: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + patience; ; await pause(200)) {
    try {
      return await ask();
    } catch (error) {
      if ((error as { retriable?: boolean }).retriable !== true || Date.now() > until) throw error;
    }
  }
}

/** Asks the brokers by a client of its own, which nothing can keep waiting for ever. */
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
