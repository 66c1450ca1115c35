/** An event as text/event-stream; JSON text has no line breaks. With `id`, the client can resume from there. */
export const eventText = (event: string, id: string, json: string): string =>
  `event: ${event}\nid: ${id}\ndata: ${json}\n\n`;

/** Updates the position from which the client resumes, without an event. */
export const placeText = (id: string): string => `id: ${id}\n\n`;

/** Tells the client after how many milliseconds to reconnect when the connection is lost. */
export const retryText = (ms: number): string => `retry: ${ms}\n\n`;

/** Keeps proxies and clients from taking silence for a lost connection. */
export const heartbeat = ': still here\n\n';
