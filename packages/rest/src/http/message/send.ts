import type { ServerResponse } from 'node:http';
import type { ApiResponse } from './message.ts';
import { pump } from './stream.ts';

/** Characters of a text that is large. */
const LARGE = 8_192;

/** Sends an answer. One that never ends by itself ends when the server is `closing`. */
export function send(response: ServerResponse, answer: ApiResponse, head: boolean, closing?: AbortSignal): void {
  const { status, headers, stream, ends, parts } = answer;
  response.statusCode = status;
  for (const name in headers) response.setHeader(name, headers[name]!);
  if (stream && !head) {
    void pump(response, stream, closing && ends ? AbortSignal.any([closing, ends]) : (closing ?? ends));
    return;
  }
  if (status === 204) {
    response.end();
    return;
  }
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json');
  if (!parts) {
    const { body } = answer;
    // A large text is written faster as bytes, a small one along with the headers.
    const written = body.length < LARGE ? body : Buffer.from(body);
    response.setHeader('Content-Length', Buffer.byteLength(written));
    response.end(head ? undefined : written);
    return;
  }
  response.setHeader('Content-Length', parts.byteLength);
  if (!head) for (const part of parts.list) response.write(part);
  response.end();
}
