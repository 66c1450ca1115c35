import { join } from 'node:path';

/**
 * Files in PEM form: an authority made for tests (`ca.pem`), and a certificate from it for `hooks.test`, `localhost` and 127.0.0.1 (`server.pem`) with
 * its key (`server.key`). They are good for nothing but tests: the key is known to everybody.
 */
export const certificateFile = (name: 'ca.pem' | 'server.pem' | 'server.key'): string => join(import.meta.dirname, name);
