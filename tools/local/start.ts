import { fileURLToPath } from 'node:url';
import { cacheStart } from './supervisor/background/start-cache.ts';

// Before the rest is loaded.
cacheStart();
const { supervise } = await import('./supervisor/supervise.ts');
await supervise({ services: fileURLToPath(new URL('../../services', import.meta.url)), env: process.env });
