import { Worker } from 'node:worker_threads';
import { heapMb } from '@cadastre/templates/memory';
import type { Document } from './openapi.ts';

/**
 * A job for the thread: merging the documents of the services, or converting the result to another form. All texts are
 * compressed with gzip.
 */
export type Job =
  | { kind: 'merge'; parts: { service: string; packed: Uint8Array }[]; own?: Document; missing: readonly string[] }
  | { kind: 'form'; whole: Uint8Array; format: 'json' | 'yaml'; app?: string };
export interface Outcome {
  packed: Uint8Array;
  apps?: readonly string[];
}

export interface SchemaThread {
  perform(job: Job): Promise<Outcome>;
  close(): void;
}

type Answer = { id: number } & ({ outcome: Outcome } | { problem: string });

/** The thread ends when it has been idle for this long: it takes some hundred megabytes and is rarely needed. */
const IDLE_MS = 5_000;

/** The heap for long-lived objects, in MB: three times what the document of all services needs at least. */
const OLD_MB = 384;
const NURSERY_MB = 16;
/** The total that the thread may take. */
export const schemaThreadMb = heapMb(OLD_MB, NURSERY_MB);

/** One thread for all jobs, one after the other, so that it takes no more than one core, however many requests come. */
export function schemaThread(): SchemaThread {
  const waiting = new Map<number, { resolve(outcome: Outcome): void; reject(error: Error): void }>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;

  function end(problem?: Error): void {
    clearTimeout(idle);
    void worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(problem ?? new Error('The gateway is stopping.'));
    waiting.clear();
  }

  function start(): Worker {
    // The thread does not need the environment, which contains secrets.
    const started = new Worker(new URL('./schema.worker.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: OLD_MB, maxYoungGenerationSizeMb: heapMb(0, NURSERY_MB) },
    });
    started.unref();
    const failed = (error: Error) => {
      if (worker === started) end(error);
    };
    started
      .on('error', failed)
      .on('exit', () => failed(new Error('The thread that writes the API document has ended.')));
    started.on('message', (answer: Answer) => {
      const asker = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('outcome' in answer) asker?.resolve(answer.outcome);
      else asker?.reject(new Error(answer.problem));
      if (waiting.size === 0) idle = setTimeout(end, IDLE_MS).unref();
    });
    return started;
  }

  return {
    perform: (job) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle);
        worker ??= start();
        waiting.set(++last, { resolve, reject });
        worker.postMessage({ id: last, job });
      }),
    close: () => end(),
  };
}
