import { type Environment, readSettings } from '@cadastre/service/read-settings';
import { whole } from '@cadastre/service/setting-kinds';
import { createPool, type PoolOptions } from './pool.ts';
import { createRenderer, type Renderer } from './renderer.ts';

/** How templates run, in every service that renders them. */
export const templateSettings = {
  TEMPLATE_WORKERS: whole(1, 64).default(2),
  TEMPLATE_TIMEOUT_MS: whole(1).default(250),
  TEMPLATE_MEMORY_MB: whole(8).default(64),
  TEMPLATE_MAX_OUTPUT_BYTES: whole(1).default(1_048_576),
};

export interface RendererOptions extends PoolOptions {
  maxOutput: number;
}

/** A renderer with workers of its own. */
export function openRenderer({ maxOutput, ...options }: RendererOptions): Renderer & { close(): Promise<void> } {
  const pool = createPool(options);
  return { ...createRenderer(pool, maxOutput), close: () => pool.close() };
}

/** The limits that the environment sets. @throws ConfigError */
export function limitsFrom(env: Environment): RendererOptions {
  const {
    templateWorkers: size,
    templateTimeoutMs: timeoutMs,
    templateMemoryMb: memoryMb,
    templateMaxOutputBytes: maxOutput,
  } = readSettings(templateSettings, env);
  return { size, timeoutMs, memoryMb, maxOutput };
}
