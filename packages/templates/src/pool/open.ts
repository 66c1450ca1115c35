import { createPool, type PoolOptions } from './pool.ts';
import { createRenderer, type Renderer } from './renderer.ts';

export interface RendererOptions extends PoolOptions {
  maxOutput: number;
}

/** A renderer with workers of its own. */
export function openRenderer({ maxOutput, ...options }: RendererOptions): Renderer & { close(): Promise<void> } {
  const pool = createPool(options);
  return { ...createRenderer(pool, maxOutput), close: () => pool.close() };
}
