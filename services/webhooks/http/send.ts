import { type Dispatcher, request as httpRequest } from 'undici';
import type { Agents } from './connect/connector.ts';
import { CertificateError } from './connect/certificates.ts';
import { mergeHeaders, wireHeaders } from './headers.ts';
import { PolicyError } from './connect/policy.ts';
import { type ErrorKind, type OutgoingRequest, RequestError } from './request.ts';

export interface SendOptions {
  agents: Agents;
  totalTimeoutMs: number;
  maxResponseBytes: number;
  maxRedirects: number;
  /** Aborts the attempt. */
  signal?: AbortSignal;
}

/** The outcome of one attempt. */
export interface Outcome {
  status: number | null;
  headers: Record<string, string>;
  /** The first bytes of the answer. */
  body: string;
  error: { kind: ErrorKind; text: string } | null;
  durationMs: number;
  /** From the header Retry-After, if the receiver sent it. */
  retryAfterMs: number | null;
}

/** Makes one attempt; never throws. Anything but a 2XX answer is an error. */
export async function send(request: OutgoingRequest, options: SendOptions): Promise<Outcome> {
  const started = performance.now();
  const outcome = (rest: Partial<Outcome>): Outcome => ({
    status: null,
    headers: {},
    body: '',
    error: null,
    retryAfterMs: null,
    durationMs: Math.round(performance.now() - started),
    ...rest,
  });
  try {
    const response = await exchange(
      request,
      AbortSignal.any([AbortSignal.timeout(options.totalTimeoutMs), ...(options.signal ? [options.signal] : [])]),
      options,
    );
    const success = response.status >= 200 && response.status < 300;
    return outcome({
      ...response,
      error: success ? null : { kind: 'status', text: `The receiver answered ${response.status}` },
    });
  } catch (error) {
    return outcome({ error: explain(error, options) });
  }
}

type Response = Pick<Outcome, 'status' | 'headers' | 'body' | 'retryAfterMs'> & { status: number };

async function exchange(first: OutgoingRequest, signal: AbortSignal, options: SendOptions): Promise<Response> {
  let request = first;
  for (let hop = 0; ; hop += 1) {
    const answer = await httpRequest(request.url, {
      dispatcher: options.agents.agent(request.tls),
      method: request.method as Dispatcher.HttpMethod,
      headers: wireHeaders(request.headers),
      body: request.body,
      signal,
      headersTimeout: options.totalTimeoutMs,
      bodyTimeout: options.totalTimeoutMs,
    });
    const next = hop < options.maxRedirects ? redirected(request, answer) : null;
    if (next) {
      answer.body.on('error', () => {}).destroy();
      request = next;
      continue;
    }
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(', ') : (value ?? ''),
        ]),
      ),
      body: await head(answer.body, options.maxResponseBytes),
      retryAfterMs: retryAfter(answer.headers['retry-after']),
    };
  }
}

/** The first bytes of a body; the rest is not waited for. */
async function head(body: Dispatcher.ResponseData['body'], limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  // PostgreSQL has no NUL in its texts.
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8').replaceAll('\0', '\ufffd');
}

/**
 * The request that a redirect asks for. Every hop is connected to under the same policy; credentials stay with their
 * origin.
 */
function redirected(request: OutgoingRequest, answer: Dispatcher.ResponseData): OutgoingRequest | null {
  const location = answer.headers.location;
  if (![301, 302, 303, 307, 308].includes(answer.statusCode) || typeof location !== 'string') return null;
  const url = URL.parse(location, request.url.href);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new RequestError('response', 'The receiver redirects to something that is not a URL');
  const keep = answer.statusCode === 307 || answer.statusCode === 308 || request.method === 'GET';
  const sameOrigin = url.origin === request.url.origin;
  if (!sameOrigin && keep && request.shown && request.body.length > 0)
    throw new RequestError(
      'response',
      'The receiver redirects to another address, where a message with secrets is not sent',
    );
  const headers = mergeHeaders(
    request.headers.filter(([name]) => sameOrigin || /^(user-agent|content-type|x-hook-signature)$/i.test(name)),
  );
  return { ...request, url, headers, ...(keep ? {} : { method: 'GET', body: Buffer.alloc(0) }) };
}

function retryAfter(value: string | string[] | undefined): number | null {
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(date - Date.now(), 0);
}

const dnsCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA']);
const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const tls = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;

function explain(error: unknown, { totalTimeoutMs }: SendOptions): { kind: ErrorKind; text: string } {
  const cause = innermost(error);
  if (cause instanceof PolicyError) return { kind: 'policy', text: `Not allowed: ${cause.message}` };
  if (cause instanceof CertificateError) return { kind: 'tls', text: cause.message };
  if (cause instanceof RequestError) return { kind: cause.kind, text: cause.message };
  const { code = '', name, message } = cause as NodeJS.ErrnoException;
  if (name === 'AbortError') return { kind: 'connection', text: 'Stopped while it was under way' };
  if (name === 'TimeoutError') return { kind: 'timeout', text: `No complete answer within ${totalTimeoutMs} ms` };
  if (timeoutCodes.has(code)) return { kind: 'timeout', text: message };
  if (dnsCodes.has(code)) return { kind: 'dns', text: message };
  if (tls.test(code)) return { kind: 'tls', text: tlsText(cause as Error) };
  if (
    name === 'HTTPParserError' ||
    code.startsWith('HPE_') ||
    code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' ||
    code === 'UND_ERR_HEADERS_OVERFLOW'
  )
    return { kind: 'response', text: message };
  return { kind: 'connection', text: message || code || 'failed' };
}

/** The error message, without Node's advice on command-line options and OpenSSL's source location. */
const tlsText = ({ message, reason }: Error & { reason?: string }): string =>
  /:error:[0-9A-F]+:/i.test(message) && reason
    ? `TLS: ${reason}`
    : message.replace(/; if the root CA is installed.*$/, '');

function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return error instanceof Error && error.name !== 'TimeoutError' && error.cause instanceof Error
    ? innermost(error.cause)
    : error;
}
