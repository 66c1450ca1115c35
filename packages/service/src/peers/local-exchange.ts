import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** A request that is complete already: it need not be read from a connection. */
export function localRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Uint8Array | undefined,
): IncomingMessage {
  // A socket that is connected to nothing and transfers nothing.
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, url: path, headers, httpVersion: '1.1', complete: true });
  if (body !== undefined) request.push(typeof body === 'string' ? Buffer.from(body) : body);
  request.push(null);
  return request;
}

/** A response to code in this process. */
export interface LocalResponse {
  readonly response: ServerResponse;
  /**
   * Resolves with everything that has been written when it is complete; rejects when the answer breaks off, or with the
   * reason of the signal.
   */
  readonly written: Promise<Buffer>;
}

type Done = (error?: Error | null) => void;

/** Written data is collected instead of sent. */
export function localResponse(request: IncomingMessage, signal?: AbortSignal | null): LocalResponse {
  const response = new ServerResponse(request);
  const pieces: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const begin = () => {
    if (!response.headersSent) response.writeHead(response.statusCode);
  };
  const { writeHead } = response;
  // Defined on the object itself, because Express replaces the prototype of the objects that it handles.
  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      for (const [name, value] of headersIn(rest)) response.setHeader(name, value);
      return writeHead.call(response, status);
    },
    flushHeaders: begin,
    write(piece: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done) {
      begin();
      if (typeof piece === 'string') pieces.push(Buffer.from(piece, typeof encoding === 'string' ? encoding : 'utf8'));
      else pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
      const called = typeof encoding === 'function' ? encoding : done;
      if (called) process.nextTick(called);
      return true;
    },
    end(piece?: string | Uint8Array | Done, encoding?: BufferEncoding | Done, done?: Done) {
      if (response.finished || response.destroyed) return response;
      if (typeof piece === 'string' || piece instanceof Uint8Array)
        response.write(piece, typeof encoding === 'string' ? encoding : 'utf8');
      else begin();
      response.finished = true;
      const called = [piece, encoding, done].find((one): one is Done => typeof one === 'function');
      if (called) response.once('finish', called);
      process.nextTick(() => {
        response.emit('finish');
        response.emit('close');
      });
      resolve(request.method === 'HEAD' ? Buffer.alloc(0) : pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
      return response;
    },
    destroy(error?: Error) {
      if (response.destroyed || response.finished) return response;
      response.destroyed = true;
      process.nextTick(() => response.emit('close'));
      reject(error ?? new Error('the answer was broken off'));
      return response;
    },
  });
  if (!signal) return { response, written: promise };
  const leave = () => response.destroy(signal.reason as Error);
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return { response, written: promise.finally(() => signal.removeEventListener('abort', leave)) };
}

/** The headers in the arguments of `writeHead`: an object, or a list of names and values. */
function headersIn(given: readonly unknown[]): [string, string | string[]][] {
  const found = given.find((one) => typeof one === 'object' && one !== null) as
    | OutgoingHttpHeaders
    | OutgoingHttpHeader[]
    | undefined;
  const all = Array.isArray(found)
    ? found.flatMap((name, i) => (i % 2 ? [] : [[String(name), found[i + 1]] as const]))
    : Object.entries(found ?? {});
  return all.flatMap(([name, value]): [string, string | string[]][] =>
    value === undefined ? [] : [[name, typeof value === 'number' ? String(value) : (value as string | string[])]],
  );
}
