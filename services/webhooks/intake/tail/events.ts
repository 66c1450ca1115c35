/** An event as text/event-stream; JSON text has no line breaks. `id` is what the client sends to go on from there. */
export const eventText = (event: string, id: string, json: string): string =>
  `event: ${event}\nid: ${id}\ndata: ${json}\n\n`;

/** Where the client goes on from now; no event. */
export const placeText = (id: string): string => `id: ${id}\n\n`;

/** Tells the client to come again so many milliseconds after the connection was lost. */
export const retryText = (ms: number): string => `retry: ${ms}\n\n`;

/** Keeps proxies and clients from taking silence for a loss. */
export const heartbeat = ': still here\n\n';
