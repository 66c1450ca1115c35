import { type Environment, readSettings } from '@cadastre/service/read-settings';
import { whole } from '@cadastre/service/setting-kinds';
import { createPool } from './pool.ts';
import { createRenderer, type Renderer } from './renderer.ts';

/** How templates run, in every service that renders them. */
export const templateSettings = {
  TEMPLATE_WORKERS: whole(1, 64).default(2),
  TEMPLATE_TIMEOUT_MS: whole(1).default(250),
  TEMPLATE_MEMORY_MB: whole(8).default(64),
  TEMPLATE_MAX_OUTPUT_BYTES: whole(1).default(1_048_576),
};

/** A renderer that does as the environment says. Its workers start with the first template: most processes never see one. */
export function rendererFor(env: Environment): Renderer & { close(): Promise<void> } {
  const { templateWorkers: size, templateTimeoutMs: timeoutMs, templateMemoryMb: memoryMb, templateMaxOutputBytes } = readSettings(templateSettings, env);
  let started: { pool: ReturnType<typeof createPool>; renderer: Renderer } | undefined;
  const start = () => {
    const pool = createPool({ size, timeoutMs, memoryMb });
    return { pool, renderer: createRenderer(pool, templateMaxOutputBytes) };
  };
  return {
    render: (texts, context, options) => (started ??= start()).renderer.render(texts, context, options),
    close: async () => started?.pool.close(),
  };
}
