import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { pump, type Stream } from './stream.ts';

let server: Server;
afterEach(
  () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    }),
);

async function serve(stream: Stream, closing?: AbortSignal): Promise<{ url: string; done: Promise<void> }> {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  server = createServer((_, response) => {
    void pump(response, stream, closing).then(resolve);
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, done };
}

/** Goes on until it is told that nobody listens. */
const endless: Stream = async function* endless(ended) {
  for (let n = 0; !ended.aborted; n += 1) {
    yield `${n}\n`;
    await sleep(5, undefined, { signal: ended }).catch(() => undefined);
  }
};

test('pieces arrive as they come, and the answer ends with them', async () => {
  const { url } = await serve(async function* three() {
    yield 'a';
    yield 'b';
    yield 'c';
  });
  expect(await (await fetch(url)).text()).toBe('abc');
});

test('a stream is told when its client leaves', async () => {
  const { url, done } = await serve(endless);
  const leaving = new AbortController();
  const reader = (await fetch(url, { signal: leaving.signal })).body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^0/);
  leaving.abort();
  await done;
});

test('a stream ends when the server closes, in good order for the client', async () => {
  const closing = new AbortController();
  const { url } = await serve(endless, closing.signal);
  const answer = await fetch(url);
  const text = answer.text();
  closing.abort();
  expect(await text).toMatch(/^(0\n)?/);
});

test('a client that does not read slows the stream down', async () => {
  let pieces = 0;
  const { url } = await serve(async function* many(ended) {
    while (!ended.aborted && pieces < 10_000) {
      pieces += 1;
      yield 'x'.repeat(100_000);
    }
  });
  const answer = await fetch(url);
  await sleep(300);
  // What the buffers of both sides hold: some megabytes, by the kernel.
  expect(pieces).toBeLessThan(150);
  await answer.body!.cancel();
});

test('a stream that fails breaks the answer off', async () => {
  const { url } = await serve(async function* failing() {
    yield 'a';
    throw new Error('no more');
  });
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
});
