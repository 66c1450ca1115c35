import type { Client } from './client.ts';

/** Creates an event rule that sends every creation of a site to an address. Returns the id of the rule. */
export async function ruleTo(client: Client, name: string, url: string): Promise<number> {
  const webhook = (await client.send('POST', '/api/extras/webhooks/', { name, payload_url: url })) as { id: number };
  const rule = (await client.send('POST', '/api/extras/event-rules/', {
    name,
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook.id,
  })) as { id: number };
  return rule.id;
}
