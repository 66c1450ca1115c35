// What a worker is asked and what it answers. Data travels as JSON text: it is read in the worker, whose time is limited.

/** The parts of a request that may be templates. */
export interface Texts { url?: string; headers?: string; body?: string }

export type Job =
  | { kind: 'render'; texts: Texts; context: string; maxOutput: number }
  | { kind: 'conditions'; conditions: string; maxPattern: number; data: string };

export interface Results {
  render: Texts;
  /** One for each item: whether the conditions hold; false for data that they do not fit. */
  conditions: boolean[];
}

export type Answer = { ok: true; result: unknown } | { ok: false; error: string };
