import type { RendererOptions } from '@cadastre/templates';
import { type Environment, readSettings } from './read-settings.ts';
import { whole } from './setting-kinds.ts';

/** How templates run, in every service that renders them. */
export const templateSettings = {
  TEMPLATE_WORKERS: whole(1, 64).default(2),
  TEMPLATE_TIMEOUT_MS: whole(1).default(250),
  TEMPLATE_MEMORY_MB: whole(8).default(64),
  TEMPLATE_MAX_OUTPUT_BYTES: whole(1).default(1_048_576),
};

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
