import type { Texts } from './jobs.ts';
import type { Pool } from './pool.ts';

/** Renders the templates of one request in a worker with limits. */
export interface Renderer {
  /** `context` is the event's JSON text. @throws an error whose message says what is wrong with the template */
  render(texts: Texts, context: string): Promise<Texts>;
}

/** Whether a text needs rendering at all. */
export const isTemplate = (text: string): boolean => /\{[{%#]/.test(text);

/** A renderer on a pool. Texts without template syntax do not travel. */
export const createRenderer = (pool: Pool, maxOutput: number): Renderer => ({
  async render(texts, context) {
    const templates = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined && isTemplate(text))) as Texts;
    if (Object.keys(templates).length === 0) return { ...texts };
    return { ...texts, ...(await pool.run({ kind: 'render', texts: templates, context, maxOutput })) };
  },
});
