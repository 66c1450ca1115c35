import { fileURLToPath } from 'node:url';
import { supervise } from './supervisor/supervise.ts';

await supervise({ services: fileURLToPath(new URL('../services', import.meta.url)), env: process.env });
