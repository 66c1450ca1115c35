import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { ReceiverOptions } from './options.ts';
import { type Delivery, jsonLine, printed } from './print.ts';
import { verify } from './signature.ts';

// More than any delivery; without a limit a client could fill the memory.
const maxBody = 64 * 1024 * 1024;

/** An HTTP server that writes what it gets to `write` and answers as the options say. */
export function createReceiver(
  options: Pick<ReceiverOptions, 'json' | 'status' | 'delayMs' | 'secret'>,
  write: (text: string) => void,
  colour: boolean,
): Server {
  let number = 0;
  return createServer(async (request, response) => {
    const body = await read(request).catch(() => null);
    if (!body) return void response.destroy();
    number += 1;
    const delivery: Delivery = {
      number,
      time: new Date(),
      method: request.method ?? '',
      path: request.url ?? '',
      headers: pairs(request.rawHeaders),
      body,
      checked: options.secret === null ? null : verify(body, request.headers, options.secret),
    };
    write(options.json ? jsonLine(delivery) : printed(delivery, colour));
    const answer = () =>
      response
        .writeHead(options.status, { 'Content-Type': 'text/plain' })
        .end(`${options.status < 300 ? 'received' : 'refused, as asked for'}\n`);
    if (options.delayMs === 0) answer();
    else setTimeout(answer, options.delayMs);
  });
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, raw[i + 1] ?? '']] : []));
