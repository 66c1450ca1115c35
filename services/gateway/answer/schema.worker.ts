// The slow part of making the API document, in a thread of its own: merging the services' documents and converting the
// result to another form.
import { parentPort, type Transferable } from 'node:worker_threads';
import { gunzipSync, gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { appsOf, type Document, mergeOpenApi, partOf } from './openapi.ts';
import type { Job, Outcome } from './schema-thread.ts';

const unpacked = (packed: Uint8Array): Document => JSON.parse(gunzipSync(packed).toString()) as Document;

function perform(job: Job): Outcome {
  if (job.kind === 'merge') {
    const merged = mergeOpenApi(
      [
        ...job.parts.map(({ service, packed }) => ({ service, document: unpacked(packed) })),
        ...(job.own ? [{ service: 'gateway', document: job.own }] : []),
      ],
      job.missing,
    );
    return { apps: appsOf(merged), packed: gzipSync(JSON.stringify(merged)) };
  }
  const whole = unpacked(job.whole);
  const wanted = job.app === undefined ? whole : partOf(whole, job.app);
  return {
    packed: gzipSync(
      job.format === 'json'
        ? JSON.stringify(wanted)
        : stringify(wanted, { aliasDuplicateObjects: false, lineWidth: 0 }),
    ),
  };
}

parentPort!.on('message', ({ id, job }: { id: number; job: Job }) => {
  try {
    const outcome = perform(job);
    // The memory is transferred, so it must not be shared: a Buffer may be part of a pool.
    outcome.packed = new Uint8Array(outcome.packed);
    parentPort!.postMessage({ id, outcome }, [outcome.packed.buffer as Transferable]);
  } catch (error) {
    parentPort!.postMessage({ id, problem: String((error as Error).stack ?? error) });
  }
});
