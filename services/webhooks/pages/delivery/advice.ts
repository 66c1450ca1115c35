import type { errorKinds } from '../../models/webhookDelivery.ts';
import { say } from '../texts/say.ts';
import type { Said } from '../texts/de.ts';

type Kind = (typeof errorKinds)[number];

/** Advice about a failed delivery, by the step at which it failed. */
const ADVICE: Readonly<Record<Exclude<Kind, 'status'>, Said>> = {
  template: 'A template of the webhook does not render. Correct payload_url, additional_headers or body_template.',
  url: 'What payload_url makes of this event is no address to send to. Correct it in the webhook.',
  headers: 'What additional_headers makes of this event is no list of headers. Correct it in the webhook.',
  policy:
    'The settings of this installation forbid this destination. An administrator can change WEBHOOK_ALLOW, WEBHOOK_DENY or WEBHOOK_ALLOW_PRIVATE_ADDRESSES.',
  dns: 'The name of the host is not known here. Look for a misprint in payload_url, and ask the name server of this machine.',
  connection: 'Nobody answers at this address. Is the receiver running, and does a firewall let this machine through?',
  tls: 'If the receiver has a certificate of your own authority, name the authority’s file in ca_file_path of the webhook (in the folder that WEBHOOK_CA_DIR names). Where certificates cannot be checked at all, ssl_verification can be switched off.',
  timeout:
    'The receiver took too long. It should answer at once and work afterwards; how long is waited, WEBHOOK_TIMEOUT_MS says.',
  response: 'The receiver did not answer as HTTP is written. Is something else listening there?',
  webhook: 'The webhook is gone or cannot be read any more. Make it anew, or cancel what waits for it.',
  worker: 'The process that had it went away. Requeue it.',
};

const BY_STATUS: readonly (readonly [statuses: readonly number[], advice: Said])[] = [
  [
    [401, 403],
    'The receiver does not take our credentials. Look at additional_headers, the secrets and the user in payload_url.',
  ],
  [[404, 405, 410], 'The receiver knows no such address, or not for this method. Look at payload_url and http_method.'],
  [[413], 'The message is too large for the receiver. A body_template can send less.'],
  [
    [400, 415, 422],
    'The receiver does not like the message. Compare body_template and http_content_type with what it expects; its answer is below.',
  ],
  [[429], 'The receiver is asked too often. WEBHOOK_DESTINATION_RATE limits how often that is.'],
];

/** Advice about a failure; undefined where there is none. */
export function adviceOn(kind: string | null, status: number | null, error = ''): string | undefined {
  if (kind === 'tls' && /wrong version number|packet length too long/.test(error))
    return say('The receiver speaks no TLS at this port. Should payload_url begin with http:// ?');
  if (kind === 'status') {
    const found = BY_STATUS.find(([statuses]) => statuses.includes(status ?? 0));
    if (found) return say(found[1]);
    return (status ?? 0) >= 500
      ? say('The receiver failed by itself. Its logs say why; requeue the delivery afterwards.')
      : undefined;
  }
  return kind !== null && Object.hasOwn(ADVICE, kind) ? say(ADVICE[kind as keyof typeof ADVICE]) : undefined;
}
