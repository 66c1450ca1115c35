import { createHmac } from 'node:crypto';
import type { Renderer } from '@cadastre/templates';
import { HeaderError, type Headers, mergeHeaders, parseHeaders } from './headers.ts';
import type { TlsOptions } from './connect/connector.ts';
import { concealed } from '../models/concealed.ts';
import type { errorKinds } from '../models/webhookDelivery.ts';
import { type Rendered, renderWith } from './secrets.ts';
import { basic } from './connect/url-credentials.ts';
import type { Webhook } from './webhook.ts';

/** One HTTP request, ready to be sent. */
export interface OutgoingRequest {
  method: string;
  url: URL;
  headers: Headers;
  body: Buffer;
  tls: TlsOptions;
  /** The version that is stored, if it differs: made without the webhook's secrets. */
  shown?: { url: string; headers: Headers; body: string };
}

/** Where a request could not be made or sent. */
export type ErrorKind = (typeof errorKinds)[number];

/** The request cannot be made; the message is for the user. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly kind: ErrorKind;
  constructor(kind: ErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** What the headers of Standard Webhooks say of a message besides its signature. */
export interface Message {
  /** The same for every attempt. */
  id: string;
  /** When this attempt was made. */
  time: Date;
}

const userAgent = 'Cadastre-Webhook/1';

/** The signature of a body: HMAC-SHA512 with the webhook's secret, in hexadecimal. */
const sign = (body: Buffer, secret: string): string => createHmac('sha512', secret).update(body).digest('hex');

/** The headers of Standard Webhooks; a secret that begins with `whsec_` is a key in base64. */
function standardHeaders({ id, time }: Message, body: Buffer, secret: string): Headers {
  const timestamp = String(Math.floor(time.getTime() / 1000));
  const signed = (key: string | Buffer) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const signature: Headers =
    secret === ''
      ? []
      : [
          [
            'webhook-signature',
            `v1,${signed(secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret)}`,
          ],
        ];
  return [['webhook-id', id], ['webhook-timestamp', timestamp], ...signature];
}

/**
 * Makes the request of a webhook for an event. `payload` is the event's JSON text: the context of the templates, and
 * the body unless a template says otherwise. With a `message` it has the headers of Standard Webhooks as well.
 * @throws RequestError
 */
export async function buildRequest(
  webhook: Webhook,
  payload: string,
  renderer: Renderer,
  message: Message | null = null,
): Promise<OutgoingRequest> {
  if (webhook.unreadable !== undefined) throw new RequestError('webhook', webhook.unreadable);
  const rendered = await renderWith(webhook, payload, renderer).catch((error: unknown) => {
    throw new RequestError('template', `Template: ${(error as Error).message}`);
  });
  const { sent, shown } = rendered;
  const url = destination(sent.url.trim(), shown.url.trim());
  const body = Buffer.from(sent.body ?? payload);
  const credentials: Headers = url.username || url.password ? [['Authorization', basic(url)]] : [];
  const signature: Headers = webhook.secret === '' ? [] : [['X-Hook-Signature', sign(body, webhook.secret)]];
  const headers = (own: Headers): Headers =>
    mergeHeaders(
      [
        ['User-Agent', userAgent],
        ['Content-Type', webhook.httpContentType],
      ],
      credentials,
      own,
      signature,
      message ? standardHeaders(message, body, webhook.secret) : [],
    );
  const own = additional(rendered);
  return {
    method: webhook.httpMethod.toUpperCase(),
    url,
    headers: headers(own.sent),
    body,
    tls: { verify: webhook.sslVerification, caFile: webhook.caFilePath },
    ...(sent === shown
      ? {}
      : { shown: { url: shown.url.trim(), headers: headers(own.shown), body: shown.body ?? payload } }),
  };
}

/** The headers that a webhook adds; error messages refer to the masked version. */
function additional({ sent, shown }: Rendered): { sent: Headers; shown: Headers } {
  try {
    const open = parseHeaders(shown.headers);
    if (sent === shown) return { sent: open, shown: open };
    try {
      return { sent: parseHeaders(sent.headers), shown: open };
    } catch {
      throw new HeaderError('they cannot be sent with the values of the secrets');
    }
  } catch (error) {
    if (error instanceof HeaderError) throw new RequestError('headers', `Headers: ${error.message}`);
    throw error;
  }
}

/**
 * The URL of a request; `shown` is the version for error messages.
 * @throws RequestError
 */
export function destination(text: string, shown = text): URL {
  const url = URL.parse(text);
  if (!url) throw new RequestError('url', `Not a URL: "${concealed('url', shown).slice(0, 200)}"`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new RequestError(
      'url',
      `Only http and https are supported${text === shown ? `, not ${url.protocol.slice(0, -1)}` : ''}`,
    );
  return url;
}

/**
 * The key by which limits are counted: scheme, host and port of the receiver, or the webhook itself when a template
 * determines these.
 */
export function destinationKey(webhook: Pick<Webhook, 'id' | 'payloadUrl'>): string {
  const origin = /^\s*(https?:\/\/[^/?#{}\s]+)(?=[/?#]|\s*$)/i.exec(webhook.payloadUrl)?.[1];
  const parsed = origin === undefined ? null : URL.parse(origin);
  return parsed ? parsed.origin : `webhook:${webhook.id}`;
}
