import { escapeIdentifier } from 'pg';
import { type Connection, sessionOf } from './session.ts';

export interface ListenerOptions {
  connection: Connection;
  channels: readonly string[];
  onNotify(channel: string, payload: string): void;
  /** Called whenever listening begins, also after a reconnect: notifications may have been missed before that. */
  onConnect(): void;
  onError(error: unknown): void;
}

/** Listens, also again after the connection was lost. Returns a function that ends it. */
export function listen({ connection, channels, onNotify, onConnect, onError }: ListenerOptions): () => Promise<void> {
  return sessionOf(connection).join({
    async begin(client) {
      await client.query(channels.map((channel) => `listen ${escapeIdentifier(channel)}`).join(';'));
      onConnect();
    },
    onNotify(channel, payload) {
      if (channels.includes(channel)) onNotify(channel, payload);
    },
    onError,
  });
}
