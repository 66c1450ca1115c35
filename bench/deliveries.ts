import { createServer } from 'node:http';
import type { Client } from './client.ts';
import { write } from './load.ts';

export interface DeliveryFigure { writesPerSecond: number; perSecond: number; lastAfterMs: number; received: number }

/** Creates sites with an event rule on, and measures until the receiver has the last delivery. */
export async function deliveries(client: Client, amount: number): Promise<DeliveryFigure> {
  let received = 0, last = 0, first = 0;
  const done = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end();
      last = performance.now();
      first ||= last;
      if (++received === amount) done.resolve();
    });
  });
  const port = await new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)));
  const webhook = await client.send('POST', '/api/extras/webhooks/', { name: 'bench', payload_url: `http://127.0.0.1:${port}/` }) as { id: number };
  const rule = await client.send('POST', '/api/extras/event-rules/', {
    name: 'bench', object_types: ['dcim.site'], event_types: ['object_created'], action_type: 'webhook', action_object_type: 'extras.webhook', action_object_id: webhook.id,
  }) as { id: number };
  const began = performance.now();
  const figure = await write(`${client.base}/api/dcim/sites/`, { authorization: `Token ${client.token}` }, (n) => ({ name: `hooked ${n}`, slug: `hooked-${n}` }), amount, 4);
  const answered = performance.now();
  await Promise.race([done.promise, new Promise((resolve) => setTimeout(resolve, 30_000))]);
  await client.send('DELETE', `/api/extras/event-rules/${rule.id}/`);
  server.close();
  server.closeAllConnections();
  return { writesPerSecond: figure.perSecond, perSecond: received / ((last - Math.min(first, began)) / 1000), lastAfterMs: last - answered, received };
}
