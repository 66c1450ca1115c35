import { expect } from '@jest/globals';
import type { Body, Client } from '../client.ts';
import { eventually } from '../eventually.ts';
import { deliveries, soon } from './hooks.ts';

export interface Tail {
  status: number;
  headers: Headers;
  /** Data of the events so far. */
  events: Body[];
  lastId: string | undefined;
  text: string;
  /** When the server ended it, as from `Date.now()`. */
  endedAt: number | undefined;
  close(): void;
}

/** The credentials of a listener: a token, or the cookie of a session. */
export type Listener = Pick<Client, 'base' | 'authorization'> & { cookie?: string };

/** Follows a tail through the gateway until it is closed. */
export async function listen({ base, authorization, cookie }: Listener, query = '', lastId?: string): Promise<Tail> {
  const leaving = new AbortController();
  const response = await fetch(`${base}${deliveries}tail/${query}`, {
    signal: leaving.signal,
    headers: {
      ...(cookie ? { cookie } : { Authorization: authorization! }),
      Accept: 'text/event-stream',
      ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
    },
  });
  const tail: Tail = {
    status: response.status,
    headers: response.headers,
    events: [],
    lastId: undefined,
    text: '',
    endedAt: undefined,
    close: () => leaving.abort(),
  };
  void (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      tail.text += chunk;
      const whole = tail.text.slice(0, tail.text.lastIndexOf('\n\n') + 2).split('\n\n');
      tail.events = whole.flatMap((event) => {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        return data === undefined ? [] : [JSON.parse(data)];
      });
      tail.lastId = whole.flatMap((event) => /^id: (.*)$/m.exec(event)?.[1] ?? []).at(-1);
    }
  })()
    .catch(() => undefined)
    .finally(() => {
      if (!leaving.signal.aborted) tail.endedAt = Date.now();
    });
  if (response.status === 200) await eventually(() => expect(tail.text).toContain('retry:'), soon);
  return tail;
}
