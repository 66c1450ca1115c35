import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Caches what Node compiles from now on, apart from the cache that services share: that counts as filled when it
 * contains anything (`compile-cache.ts`).
 */
export function cacheStart(): void {
  enableCompileCache(fileURLToPath(new URL('../../../../node_modules/.cache/cadastre/start', import.meta.url)));
}
