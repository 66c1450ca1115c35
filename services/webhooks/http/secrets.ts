import { type Renderer, isTemplate } from '@cadastre/templates';
import { credentialsIn } from '../models/concealed.ts';
import type { Webhook } from './webhook.ts';

const mask = '********';

/** The texts of a webhook that become a request. */
interface RequestTexts extends Record<string, string | undefined> {
  url: string;
  headers: string;
  body?: string;
}

/**
 * The texts to send, and the same for display: rendered with masks in place of all secrets, so that nothing in them
 * derives from secrets.
 */
export interface Rendered {
  sent: RequestTexts;
  shown: RequestTexts;
}

const named = /\bsecrets\b/;
const asks = (texts: RequestTexts): boolean =>
  Object.values(texts).some((text) => text !== undefined && isTemplate(text) && named.test(text));

/** The context of templates: the event's data and the secrets. Both are JSON texts of dictionaries. */
const withSecrets = (payload: string, secrets: Readonly<Record<string, string>>): string =>
  `${payload.slice(0, -1)}${/^\{\s*\}$/.test(payload) ? '' : ','}"secrets":${JSON.stringify(secrets)}}`;

/**
 * Renders the texts of a webhook. The masked version is rendered first, so that an error in both mentions only masks;
 * an error that only occurs with the secrets is not quoted, as it may contain them.
 * @throws an error whose message is for the user
 */
export async function renderWith(webhook: Webhook, payload: string, renderer: Renderer): Promise<Rendered> {
  const { secrets = {}, credentials = {}, bodyTemplate } = webhook;
  const body = bodyTemplate === '' ? {} : { body: bodyTemplate };
  const open: RequestTexts = { url: webhook.payloadUrl, headers: webhook.additionalHeaders, ...body };
  const whole: RequestTexts = {
    url: credentials.payload_url ?? open.url,
    headers: credentials.additional_headers ?? open.headers,
    ...body,
  };
  const secret = asks(whole);
  if (!secret && whole.url === open.url && whole.headers === open.headers) {
    const sent = await renderer.render(open, payload);
    return { sent, shown: sent };
  }
  const context = (values: Readonly<Record<string, string>>) => (secret ? withSecrets(payload, values) : payload);
  const strict = secret ? ['secrets'] : undefined;
  const shown = await renderer.render(
    open,
    context(Object.fromEntries(Object.keys(secrets).map((name) => [name, mask]))),
    undefined,
    undefined,
    strict,
  );
  const sent = await renderer.render(whole, context(secrets), undefined, undefined, strict).catch(() => {
    throw new Error('it cannot be rendered with the values of its secrets.');
  });
  return { sent, shown };
}

/**
 * Everything in a webhook that must not be stored elsewhere: the values of its secrets, its signing key, and the
 * credentials in its texts.
 */
export function secretValues({ secret, secrets = {}, credentials = {} }: Webhook): string[] {
  return [
    secret,
    ...Object.values(secrets),
    ...credentialsIn('url', credentials.payload_url ?? ''),
    ...credentialsIn('headers', credentials.additional_headers ?? ''),
  ];
}
