import { expect } from '@jest/globals';
import type { Answer, Body, Client } from '../client.ts';
import { eventually, patienceMs } from '../eventually.ts';
import { unique } from '../unique.ts';

/** How long to wait for effects outside the request. */
export const soon = patienceMs;

export const webhooks = '/api/extras/webhooks/',
  deliveries = '/api/extras/webhook-deliveries/';

/** A site whose name and slug begin with a word. */
export const makeSite = (admin: Client, word = 'site'): Promise<Body> => {
  const slug = unique(word);
  return admin.make('/api/dcim/sites/', { name: slug, slug });
};

/** A webhook to a path of its own, `/<its name>`. */
export const makeWebhook = (admin: Client, receiver: { url: string }, more: object = {}): Promise<Body> => {
  const name = unique('hook');
  return admin.make(webhooks, { name, payload_url: `${receiver.url}/${name}`, ...more });
};

/** A rule that sends a webhook when a site is created, changed or deleted. */
export const makeRule = (admin: Client, webhook: Body, more: object = {}): Promise<Body> =>
  admin.make('/api/extras/event-rules/', {
    name: unique('rule'),
    object_types: ['dcim.site'],
    event_types: ['object_created', 'object_updated', 'object_deleted'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook.id,
    ...more,
  });

/** Sends a sample about a site. */
export const sample = (client: Client, webhook: Body, site: Body): Promise<Answer> =>
  client.post(`${webhooks}${webhook.id}/test/`, { object_type: 'dcim.site', object_id: site.id, event: 'created' });

/** Waits until the delivery has a state. */
export const ended = (admin: Client, id: number, status: string): Promise<Body> =>
  eventually(async () => {
    const one = await admin.read(`${deliveries}${id}/`);
    expect(one.status.value).toBe(status);
    return one;
  }, soon);
