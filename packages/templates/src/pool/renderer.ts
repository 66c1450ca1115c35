import type { Explored, TemplateJobs, TemplateOptions, Texts } from '../jobs/jobs.ts';
import type { Pool } from './pool.ts';

/** Renders templates in a worker with limits; a rendering ends when its caller no longer waits (`gone`). */
export interface Renderer {
  /** `context` is JSON text. @throws LimitError | JobError, whose message says what is wrong with the template */
  render<Given extends Texts>(
    texts: Given,
    context: string,
    options?: TemplateOptions,
    gone?: AbortSignal,
    strict?: readonly string[],
  ): Promise<Given>;
  /**
   * Renders a text whose context has objects of models, or says which of them have to be loaded first; `models` is JSON
   * text of `Models`.
   */
  explore(
    template: string,
    context: string,
    models: string,
    options?: TemplateOptions,
    gone?: AbortSignal,
  ): Promise<Explored>;
}

/** Whether a text needs rendering at all. */
export const isTemplate = (text: string): boolean => /\{[{%#]/.test(text);

/** A renderer on a pool. Texts without template syntax are not sent to a worker. */
export const createRenderer = (pool: Pool<TemplateJobs>, maxOutput: number): Renderer => ({
  async render<Given extends Texts>(
    texts: Given,
    context: string,
    options?: TemplateOptions,
    gone?: AbortSignal,
    strict?: readonly string[],
  ) {
    const templates = Object.fromEntries(
      Object.entries(texts).filter(([, text]) => text !== undefined && isTemplate(text)),
    );
    if (Object.keys(templates).length === 0) return { ...texts };
    return {
      ...texts,
      ...(await pool.run(
        {
          kind: 'render',
          texts: templates,
          context,
          maxOutput,
          ...(options ? { options } : {}),
          ...(strict ? { strict } : {}),
        },
        gone,
      )),
    };
  },
  explore: async (template, context, models, options, gone) =>
    isTemplate(template)
      ? pool.run({ kind: 'explore', template, context, models, maxOutput, ...(options ? { options } : {}) }, gone)
      : { text: template },
});
