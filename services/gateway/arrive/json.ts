import type { IncomingMessage, ServerResponse } from 'node:http';

/** The indentation that `Accept: application/json; indent=4` asks for; at most 8, 0 for compact. */
export function indentOf(accept: string | undefined): number {
  if (accept === undefined || !accept.includes('indent')) return 0;
  const asked = /application\/json\s*;(?:[^,]*;)?\s*indent\s*=\s*"?(\d{1,3})/i.exec(accept)?.[1];
  return asked === undefined ? 0 : Math.min(Number(asked), 8);
}

/** Answers with JSON, indented as the client asked. */
export function sendJson(req: IncomingMessage, res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body, null, indentOf(req.headers.accept));
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}

/** A refusal: the status and the text that goes into `detail`. */
export interface Refusal {
  status: number;
  detail: string;
  retryAfter?: number;
}

/** Answers with `{"detail": …}` and, where trying again makes sense, when. */
export function sendRefusal(req: IncomingMessage, res: ServerResponse, { status, detail, retryAfter }: Refusal): void {
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
  sendJson(req, res, status, { detail });
}
