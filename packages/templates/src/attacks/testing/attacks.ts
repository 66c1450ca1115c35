import { afterAll, beforeAll } from '@jest/globals';
import { createPool, type Pool } from '../../pool/pool.ts';
import { createRenderer, type Renderer } from '../../pool/renderer.ts';

let pool: Pool;
export let renderer: Renderer;

beforeAll(() => {
  pool = createPool({ size: 2, timeoutMs: 250, memoryMb: 64 });
  renderer = createRenderer(pool, 1_048_576);
});

afterAll(() => pool.close());

// Values that users can put into custom fields and notes are among these.
export const hostile =
  '{"__keywords": true, "default": "x", "toString": "y", "toJSON": "z", "then": 1, "constructor": "c", "__proto__": {"polluted": 1}, "length": 4294967295, "valueOf": 1, "value": "v"}';

const context = JSON.stringify({
  data: { name: 'site', list: [1, 2], nested: { a: 1 } },
  text: 'a'.repeat(64),
}).replace('{"data":{', `{"data":{"evil":${hostile},`);

export const attempt = async (body: string): Promise<string> => {
  try {
    return (await renderer.render({ body }, context)).body ?? '';
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
};

/** Texts that only an escape could show: objects of the program, or data of the machine. */
export const leaks = /function|native code|\[object|process(?!\.exit\(7\))|v\d+\.\d+|pwned|node:|"PATH"|root:/i;
