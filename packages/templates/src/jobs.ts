// What a worker is asked and what it answers. Data travels as JSON text: it is read in the worker, whose time is limited.

/** The templates of one rendering, by name, and what became of them. */
export type Texts = Record<string, string | undefined>;

/** How templates treat line ends and blanks around tags, as in Jinja2's environment. */
export interface TemplateOptions {
  trimBlocks?: boolean;
  lstripBlocks?: boolean;
  keepTrailingNewline?: boolean;
}

/** Renders texts, each with its own copy of the context. */
export interface RenderJob { kind: 'render'; texts: Texts; context: string; maxOutput: number; options?: TemplateOptions }

/** What the workers of a pool can do: jobs by kind, with what they result in. */
export type Jobs = Record<string, { job: { kind: string }; result: unknown }>;

/** What every worker can do. */
export interface TemplateJobs extends Jobs { render: { job: RenderJob; result: Texts } }

/** How much of the processor a worker has used so far comes with every word from it. */
export interface Used { usedMs: number }

/** `late`: the worker gave the job up itself, as it was not killed in time. */
export type Answer = { ok: true; result: unknown } | { ok: false; error: string; late?: true };
