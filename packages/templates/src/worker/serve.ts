// The frame of a worker's program: does one job at a time, until it is killed. It runs in a process of its own, since
// V8 ends the whole process, with all its threads, when a single allocation does not fit into a thread's memory limit.
import { Script } from 'node:vm';
import type { Answer, ExploreJob, RenderJob, Used, Word } from '../jobs/jobs.ts';
import { explore, render } from './render.ts';

/** A kind of job, as a worker does it. */
export interface Work {
  /** `tell` sends messages, such as progress, while the job runs. */
  run(job: never, tell: (word: unknown) => void): unknown;
  /** Whether the job may run without end; the watchdog costs more than most of the work. */
  mayRunLong(job: never): boolean;
}

// Only tags can loop, and only calls can make values that refer to themselves; every other template ends by itself.
const rendering: Work = {
  run: render,
  mayRunLong: ({ texts }: RenderJob) => Object.values(texts).some((text) => text && /\{%|\(/.test(text)),
};

const exploring: Work = { run: explore, mayRunLong: ({ template }: ExploreJob) => /\{%|\(/.test(template) };

const dropped = [
  'process',
  'fetch',
  'WebSocket',
  'EventSource',
  'WebAssembly',
  'SharedArrayBuffer',
  'Atomics',
  'eval',
  'Function',
  'BroadcastChannel',
  'navigator',
  'localStorage',
  'sessionStorage',
];

/** A second barrier: whatever a template might reach, there is nothing here that could do harm. */
function disarm(): void {
  for (const maker of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    Object.defineProperty((maker.constructor as unknown as { prototype: object }).prototype, 'constructor', {
      value: undefined,
      configurable: false,
    });
  }
  for (const name of dropped) Reflect.deleteProperty(globalThis, name);
}

/** Turns this process into a worker that renders templates and does what else is given, by kind. */
export function serve(further: Readonly<Record<string, Work>> = {}): void {
  const kinds = new Map(Object.entries({ ...further, render: rendering, explore: exploring }));
  const self = process;
  const limit = Number(self.argv[2]);
  disarm();

  const say = (word: unknown): void => {
    self.send?.({ word } satisfies Word);
  };
  const attempt = (job: { kind: string }): Answer => {
    try {
      return { ok: true, result: kinds.get(job.kind)!.run(job as never, say) };
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : 'failed' };
    }
  };

  // The parent kills a worker that is late. This ends an endless loop where the parent is dead, or has not run for a
  // long time.
  const slot: { job?: { kind: string }; answer?: Answer } = {};
  Object.defineProperty(globalThis, Symbol.for('cadastre.job'), {
    value: () => {
      if (slot.job) slot.answer = attempt(slot.job);
    },
  });
  const bounded = new Script('globalThis[Symbol.for("cadastre.job")]()');

  const answer = (job: { kind: string }): Answer => {
    if (!kinds.get(job.kind)?.mayRunLong(job as never)) return attempt(job);
    slot.job = job;
    try {
      bounded.runInThisContext({ timeout: limit });
      return slot.answer ?? { ok: false, error: 'failed' };
    } catch (error) {
      return { ok: false, error: (error as Error).message, late: true };
    } finally {
      delete slot.job;
      delete slot.answer;
    }
  };

  // The first template takes much longer than those after it; that time does not count for its limit.
  const first: RenderJob = {
    kind: 'render',
    texts: { body: '{% for tag in data.tags %}{{ tag.name | lower }}{% endfor %}{{ data | tojson }}' },
    context: '{"data":{"tags":[{"name":"A"}]}}',
    maxOutput: 1000,
  };
  answer(first);
  const usedMs = (): number => {
    const { user, system } = self.cpuUsage();
    return (user + system) / 1_000;
  };
  const tell = (what: Answer | { ready: true }): void => {
    self.send?.({ ...what, usedMs: usedMs() } satisfies (Answer | { ready: true }) & Used);
  };
  self.on('message', (job: { kind: string }) => tell(answer(job)));
  self.on('disconnect', () => self.exit());
  tell({ ready: true });
}
