import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps what Node makes of what is loaded from now on. Apart from what services share, which counts as filled when
 * there is something in it (`compile-cache.ts`).
 */
export function cacheStart(): void {
  enableCompileCache(fileURLToPath(new URL('../../../../node_modules/.cache/cadastre/start', import.meta.url)));
}
