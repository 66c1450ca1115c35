import { backoff, pause } from '../waiting/backoff.ts';
import { InvalidEvent } from '../event/event.ts';
import type { ConsumeOptions, FailureContext, ReceivedMessage, Retry } from './log.ts';
import { isTransient } from '../failures/transient.ts';

const defaultRetry: Retry = { attempts: 6, firstDelay: 100, maxDelay: 10_000 };

/**
 * Hands a batch to the handler until it has been handled, message by message if the whole fails, parking what cannot be
 * handled. Returns how many messages are done: fewer than all only if the signal was aborted meanwhile, so that the
 * caller stores just their offsets.
 */
export async function deliver(
  batch: readonly ReceivedMessage[],
  options: ConsumeOptions,
  signal: AbortSignal,
): Promise<number> {
  if (batch.length > 1 && (await deliverWhole(batch, options, signal))) return batch.length;
  // Any of them may be the cause, so each is handled by itself; the order stays.
  let done = 0;
  for (const message of batch) {
    if (!(await deliverOne(message, options, signal))) break;
    done += 1;
  }
  return done;
}

async function deliverWhole(
  batch: readonly ReceivedMessage[],
  options: ConsumeOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const retry = { ...defaultRetry, ...options.retry };
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      await options.handler(batch);
      return true;
    } catch (error) {
      report(options, error, { group: options.group, stage: 'handle', attempt: tries });
      // An outage is not the fault of a message, so the batch need not be taken apart.
      if (!(options.isTransient ?? isTransient)(error)) return false;
    }
    await pause(backoff(tries, retry.firstDelay, retry.maxDelay), signal);
  }
  return false;
}

async function deliverOne(message: ReceivedMessage, options: ConsumeOptions, signal: AbortSignal): Promise<boolean> {
  const retry = { ...defaultRetry, ...options.retry };
  let blamed = 0;
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      await options.handler([message]);
      return true;
    } catch (error) {
      report(options, error, { group: options.group, stage: 'handle', message, attempt: tries });
      if (!(options.isTransient ?? isTransient)(error)) blamed += 1;
      const hopeless = error instanceof InvalidEvent || blamed >= retry.attempts;
      if (hopeless && options.park && (await park(message, error, options.park, options))) return true;
    }
    await pause(backoff(tries, retry.firstDelay, retry.maxDelay), signal);
  }
  return false;
}

/** Calls the consumer's owner until the call succeeds; undefined if the signal was aborted before. */
export async function insist<T>(
  options: ConsumeOptions,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  const retry = { ...defaultRetry, ...options.retry };
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      report(options, error, { group: options.group, stage: 'handle', attempt: tries });
    }
    await pause(backoff(tries, retry.firstDelay, retry.maxDelay), signal);
  }
  return undefined;
}

async function park(
  message: ReceivedMessage,
  error: unknown,
  put: NonNullable<ConsumeOptions['park']>,
  options: ConsumeOptions,
): Promise<boolean> {
  try {
    await put(message, error);
    return true;
  } catch (failure) {
    report(options, failure, { group: options.group, stage: 'park', message });
    return false;
  }
}

/** Reports a failure to the consumer's owner; an error that the owner throws must not stop the consumer. */
export function report(options: Pick<ConsumeOptions, 'onError'>, error: unknown, context: FailureContext): void {
  try {
    options.onError?.(error, context);
  } catch {
    // There is nobody else to report it to.
  }
}
