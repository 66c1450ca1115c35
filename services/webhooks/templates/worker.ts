// The program of a worker: does one job at a time, until it is killed. It runs in a process of its own, since V8 ends the whole process,
// with all its threads, when a single allocation does not fit into a thread's memory limit.
import { Script } from 'node:vm';
import type { Answer, Job } from './jobs.ts';
import { work } from './work.ts';

const self = process;
const limit = Number(self.argv[2]);

// A second wall: whatever a template might get hold of, there is nothing here to do harm with.
for (const maker of [() => {}, async () => {}, function* () {}, async function* () {}]) {
  Object.defineProperty((maker.constructor as unknown as { prototype: object }).prototype, 'constructor', { value: undefined, configurable: false });
}
for (const name of ['process', 'fetch', 'WebSocket', 'EventSource', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'eval', 'Function', 'BroadcastChannel', 'navigator', 'localStorage', 'sessionStorage']) {
  Reflect.deleteProperty(globalThis, name);
}

// The parent kills a worker that is late. Should the parent be gone, this ends an endless loop.
const slot: { job?: Job; answer?: Answer } = {};
const entry = Symbol.for('cadastre.job');
const bounded = new Script('globalThis[Symbol.for("cadastre.job")]()');
Object.defineProperty(globalThis, entry, { value: () => { if (slot.job) slot.answer = work(slot.job); } });

// Only tags can loop and only conditions have patterns; everything else ends by itself, and the watchdog costs more than the work.
const mayRunLong = (job: Job): boolean => job.kind === 'conditions' || Object.values(job.texts).some((text) => text?.includes('{%'));

function answer(job: Job): Answer {
  if (!mayRunLong(job)) return work(job);
  slot.job = job;
  try {
    bounded.runInThisContext({ timeout: limit });
    return slot.answer ?? { ok: false, error: 'failed' };
  } catch (error) {
    return { ok: false, error: (error as Error).message };
  } finally {
    delete slot.job;
    delete slot.answer;
  }
}

// The first template takes much longer than those after it; that time is nobody's.
answer({ kind: 'render', texts: { body: '{% for tag in data.tags %}{{ tag.name | lower }}{% endfor %}{{ data | tojson }}' }, context: '{"data":{"tags":[{"name":"A"}]}}', maxOutput: 1000 });
self.on('message', (job: Job) => self.send?.(answer(job)));
self.on('disconnect', () => self.exit());
self.send?.('ready');
